/**
 * Types of the API's answers and events.
 *
 * They are defined in `noughts.service.http.models` and documented at /docs.
 */

/** A player's number, in turn order. */
export type Seat = 1 | 2;

/** Counted from 0, from the top left. */
export type Cell = [row: number, col: number];

export type Shape = [rows: number, cols: number];

/** Rules of a game: the variant says what k in a row mean, and with gravity marks fall. */
export type Rules = { shape: Shape; k: number; gravity: boolean; variant: string };

export type Status = "waiting" | "playing" | "won" | "draw" | "resigned" | "timeout" | "aborted";

export type Opponent = "friend" | "computer" | "self";

export type Player = { name: string | null; kind: "human" | "computer"; joined: boolean };

/** Thinking time: `seconds` per move, or for the whole game if there is an increment. */
export type TimeControl = { seconds: number; increment: number | null };

/** Time left, in milliseconds, when the clock of the player to move started. */
export type Clock = TimeControl & { left: [number, number]; deadline: string | null };

/** Which players have a game open and since when others are away; `now` is the server's time. */
export type Here = {
  here: [boolean, boolean];
  away: [string | null, string | null];
  watchers: number;
  now: string;
};

/** A game: its rules and its state. */
export type Game = Rules & {
  id: string;
  status: Status;
  /** null unless the game is in progress */
  turn: Seat | null;
  /** why it ended; null if it has not, or was cancelled */
  termination: string | null;
  winner: Seat | null;
  /** the lines that ended the game */
  lines: Cell[][];
  /** the empty cells that are forbidden to the player to move */
  forbidden: Cell[];
  moves: Cell[];
  players: Player[];
  opponent: Opponent;
  /** the level of the computer */
  level: string | null;
  /** whether both friends see the referee's view */
  referee: boolean;
  /** the seat that asks for a takeback */
  offer: Seat | null;
  /** the seat that offers a draw */
  draw: Seat | null;
  clock: Clock | null;
  /** the number of the latest event */
  seq: number;
  created: string;
  /** the id of the next game */
  rematch: string | null;
  /** the id of the game that this is a rematch of */
  before: string | null;
};

/** A game, and the seats of this browser. */
export type SeenGame = Game & { seats: Seat[] };

/** A game that this browser created or joined, and its seats. */
export type Seated = { id: string; invite: string | null; seats: Seat[]; game: Game };

/** The answer to a POST. */
export type Answer = { seq: number; ply: number; status: Status };

/** A game in the lobby that waits for a player; `seat` is the free one. */
export type OpenGame = Rules & {
  id: string;
  name: string | null;
  seat: Seat;
  clock: TimeControl | null;
  here: boolean;
  away: string | null;
};

/** A game in the lobby that is in progress, with its latest moves, the first of them by X. */
export type LiveGame = Rules & {
  id: string;
  players: Player[];
  ply: number;
  moves: Cell[];
  watchers: number;
};

/** Fields of every event, from the state after it. */
export type After = Pick<
  Game,
  | "seq"
  | "status"
  | "turn"
  | "termination"
  | "winner"
  | "lines"
  | "forbidden"
  | "offer"
  | "draw"
  | "clock"
  | "rematch"
> & { seat: Seat; ply: number };

/** An event of a game: its kind is one of `EVENTS`, and some kinds have an additional field. */
export type GameEvent = After & {
  kind: string;
  cell?: Cell;
  name?: string | null;
  reaction?: string;
};

/** A request for a game. */
export type NewGame = {
  n?: number;
  shape?: Shape;
  k?: number;
  gravity?: boolean;
  variant?: string;
  opponent?: Opponent;
  level?: string;
  seat?: Seat;
  name?: string | null;
  listed?: boolean;
  referee?: boolean;
  clock?: TimeControl | null;
  key?: string;
};

/** A move and what the computer knows about it: `value` is proven, `chance` is an estimate. */
export type Advice = {
  cell: Cell;
  /** 1 if it wins, 0 if it cannot lose, −1 if it loses, null if nothing is proven */
  value: 1 | 0 | -1 | null;
  proof: string | null;
  /** the expected score, in percent */
  chance: number | null;
  /** expected plies until the end */
  plies: number | null;
  /** search depth in moves */
  depth: number | null;
  /** the expected moves, starting with this one */
  line: Cell[];
};

/** What the computer knew about its move, which is the event `seq`. */
export type Thought = { seq: number; advice: Advice };

/** A reviewed move: what it lost, and the better move. */
export type Finding = {
  ply: number;
  player: Seat;
  cell: Cell;
  lost: "win" | "draw" | "chances" | null;
  loses: boolean;
  chance: number | null;
  best: Advice;
  best_chance: number | null;
};

/** A problem; `message` is that of servers before this release. */
export type ErrorDetail = {
  code?: string;
  detail?: string;
  message?: string;
  seq?: number;
  kind?: string;
};
