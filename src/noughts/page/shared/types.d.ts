/**
 * The shapes of the API's answers and events.
 *
 * `noughts.service.http.models` is their definition; /docs shows it.
 */

/** A player's number, in turn order. */
export type Seat = 1 | 2;

/** Counted from 0 at the top left. */
export type Cell = [row: number, col: number];

export type Shape = [rows: number, cols: number];

/** What is played: the variant says what k in a row mean; with gravity marks fall. */
export type Rules = { shape: Shape; k: number; gravity: boolean; variant: string };

export type Status = "waiting" | "playing" | "won" | "draw" | "resigned" | "timeout" | "aborted";

export type Opponent = "friend" | "computer" | "self";

export type Player = { name: string | null; kind: "human" | "computer"; joined: boolean };

/** How long players may think: for each move, or if there is an increment for the whole game. */
export type TimeControl = { seconds: number; increment: number | null };

/** What the players have left: in milliseconds, when the clock of whoever's turn it is began to run. */
export type Clock = TimeControl & { left: [number, number]; deadline: string | null };

/** Who has a game open, and since when players have not; `now` is the server's time. */
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
  /** null unless the game is being played */
  turn: Seat | null;
  /** why it ended; null also if it was withdrawn */
  termination: string | null;
  winner: Seat | null;
  /** the lines that ended the game */
  lines: Cell[][];
  /** the empty cells that are forbidden to the player whose turn it is */
  forbidden: Cell[];
  moves: Cell[];
  players: Player[];
  opponent: Opponent;
  /** the computer's */
  level: string | null;
  /** whether friends have agreed that both see the referee's view */
  referee: boolean;
  /** the seat that offers a takeback */
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

/** A game, and the seats of whoever asks. */
export type SeenGame = Game & { seats: Seat[] };

/** What a browser needs to play in a game that it made or joined. */
export type Seated = { id: string; invite: string | null; seats: Seat[]; game: Game };

/** What came of a post. */
export type Answer = { seq: number; ply: number; status: Status };

/** A listed game that waits for somebody; `seat` is the free one. */
export type OpenGame = Rules & {
  id: string;
  name: string | null;
  seat: Seat;
  clock: TimeControl | null;
  here: boolean;
  away: string | null;
};

/** A listed game that is being played: its latest moves, of which the first is X's. */
export type LiveGame = Rules & {
  id: string;
  players: Player[];
  ply: number;
  moves: Cell[];
  watchers: number;
};

/** What every event has: fields of the state after it. */
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

/** An event of a game: its kind is one of `EVENTS`, and some kinds have a field of their own. */
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

/** A move, and what the computer knows of it: `value` is proved, `chance` is not. */
export type Advice = {
  cell: Cell;
  /** it wins, cannot lose, loses; null: nothing is proved */
  value: 1 | 0 | -1 | null;
  proof: string | null;
  /** the percent of the points that are expected */
  chance: number | null;
  /** until the end that is expected */
  plies: number | null;
  /** how many moves the computer looked ahead */
  depth: number | null;
  /** the moves that it expects, this one first */
  line: Cell[];
};

/** What the computer knew of its move, the event `seq`. */
export type Thought = { seq: number; advice: Advice };

/** What a move gave away, and what would have kept it. */
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

export type ErrorDetail = { code?: string; message?: string; seq?: number; kind?: string };
