/**
 * The shapes of the API's answers and events. Types alone: no page loads this file.
 *
 * `noughts.service.http.models` is their definition; /docs shows it.
 */

/** @typedef {1 | 2} Seat A player's number, in turn order. */

/** @typedef {[row: number, col: number]} Cell Counted from 0 at the top left. */

/** @typedef {[rows: number, cols: number]} Shape */

/** @typedef {"freestyle" | "standard" | "caro" | "misere" | "renju"} Variant */

/**
 * What is played: k in a row, of which the variant tells what they mean; with gravity marks fall.
 *
 * @typedef {{ shape: Shape, k: number, gravity: boolean, variant: Variant }} Rules
 */

/** @typedef {"waiting" | "playing" | "won" | "draw" | "resigned" | "timeout" | "aborted"} Status */

/** @typedef {"friend" | "computer" | "self"} Opponent */

/** @typedef {{ name: string | null, kind: "human" | "computer", joined: boolean }} Player */

/**
 * How long players may think: for each move, or if there is an increment for the whole game.
 *
 * @typedef {{ seconds: number, increment: number | null }} TimeControl
 */

/**
 * What the players have left: in milliseconds, when the clock of whoever's turn it is began to run.
 *
 * @typedef {TimeControl & { left: [number, number], deadline: string | null }} Clock
 */

/**
 * Who has a game open, and since when players have not; `now` is the server's time.
 *
 * @typedef {{
 *   here: [boolean, boolean],
 *   away: [string | null, string | null],
 *   watchers: number,
 *   now: string,
 * }} Here
 */

/**
 * The state of a game, besides its rules.
 *
 * @typedef {object} Standing
 * @property {string} id
 * @property {Status} status
 * @property {Seat | null} turn null unless the game is being played
 * @property {Seat | null} winner
 * @property {Cell[][]} lines the lines that ended the game
 * @property {Cell[]} forbidden the empty cells that renju forbids to whose turn it is
 * @property {Cell[]} moves
 * @property {Player[]} players
 * @property {Opponent} opponent
 * @property {string | null} level the computer's
 * @property {boolean} referee whether friends have agreed that both see the referee's view
 * @property {Seat | null} offer the seat that offers a takeback
 * @property {Seat | null} draw the seat that offers a draw
 * @property {Clock | null} clock
 * @property {number} seq the number of the latest event
 * @property {string} created
 * @property {string | null} rematch the id of the next game
 * @property {string | null} before the id of the game that this is a rematch of
 */

/** @typedef {Rules & Standing} Game */

/** @typedef {Game & { seats: Seat[] }} SeenGame A game, and the seats of whoever asks. */

/**
 * What a browser needs to play in a game that it made or joined.
 *
 * @typedef {{ id: string, invite: string | null, seats: Seat[], game: Game }} Seated
 */

/** @typedef {{ seq: number, ply: number, status: Status }} Answer What came of a post. */

/**
 * A listed game that waits for somebody; `seat` is the free one.
 *
 * @typedef {Rules & {
 *   id: string,
 *   name: string | null,
 *   seat: Seat,
 *   clock: TimeControl | null,
 *   here: boolean,
 *   away: string | null,
 * }} OpenGame
 */

/**
 * A listed game that is being played: its latest moves, of which the first is X's.
 *
 * @typedef {Rules & { id: string, players: Player[], ply: number, moves: Cell[], watchers: number }} LiveGame
 */

/**
 * What an event of any kind tells: fields of the state after it.
 *
 * @typedef {Pick<
 *   Game, "seq" | "status" | "turn" | "winner" | "lines" | "forbidden" | "offer" | "draw" | "clock" | "rematch"
 * > & { seat: Seat, ply: number }} After
 */

/**
 * An event of a game, as the stream tells it.
 *
 * @typedef {After & (
 *   { kind: "move", cell: Cell }
 *   | { kind: "joined", name: string | null }
 *   | { kind: "reaction", reaction: string }
 *   | { kind: "offer" | "draw" | "declined" | "takeback" | "agreed" }
 *   | { kind: "resigned" | "timeout" | "rematch" | "aborted" }
 * )} GameEvent
 */

/**
 * A request for a game.
 *
 * @typedef {object} NewGame
 * @property {number} [n]
 * @property {Shape} [shape]
 * @property {number} [k]
 * @property {boolean} [gravity]
 * @property {Variant} [variant]
 * @property {Opponent} [opponent]
 * @property {string} [level]
 * @property {Seat} [seat]
 * @property {string | null} [name]
 * @property {boolean} [listed]
 * @property {boolean} [referee]
 * @property {TimeControl | null} [clock]
 */

/**
 * A move, and what the computer knows of it: `value` is proved, `chance` is not.
 *
 * @typedef {object} Advice
 * @property {Cell} cell
 * @property {1 | 0 | -1 | null} value it wins, cannot lose, loses; null: nothing is proved
 * @property {string | null} proof
 * @property {number | null} chance the percent of the points that are expected
 * @property {number | null} plies until the end that is expected
 * @property {number | null} depth how many moves the computer looked ahead
 * @property {Cell[]} line the moves that it expects, this one first
 */

/**
 * What the computer knew of its move, the event `seq`.
 *
 * @typedef {{ seq: number, advice: Advice }} Thought
 */

/**
 * What a move gave away, and what would have kept it.
 *
 * @typedef {object} Finding
 * @property {number} ply
 * @property {Seat} player
 * @property {Cell} cell
 * @property {"win" | "draw" | "chances" | null} lost
 * @property {boolean} loses
 * @property {number | null} chance
 * @property {Advice} best
 * @property {number | null} best_chance
 */

/** @typedef {{ code?: string, message?: string, seq?: number, kind?: string }} ErrorDetail */

export {};
