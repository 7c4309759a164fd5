/**
 * What the server describes. It makes `described.js` of its own descriptions when it starts:
 * `noughts.service.http.described` says from which.
 */

/** Variants: `decides` says, by seat, whether a line ends the game, for each of nine pairs of ends. */
export const VARIANTS: Record<
  string,
  {
    aim: string;
    about: string;
    loses: boolean;
    fouls: boolean;
    /** whether only some lines count: which, this page does not know */
    counts: boolean;
    /** how many in a row it needs */
    k: number | null;
    /** whether marks may fall */
    falls: boolean;
    /** rows and columns that the server allows */
    most: number;
    decides: [string, string];
  }
>;

/** Levels of the computer, from the weakest to the strongest. */
export const LEVELS: Record<string, { title: string; about: string; searches?: boolean }>;

/** How boards may look. */
export const LOOKS: Record<string, { title: string }>;

/**
 * Kinds of events: what is said, what to whoever did it, and what where a draw was on offer; the
 * field of the state that it fills; and the status to which it leads, if any.
 */
export const EVENTS: Record<
  string,
  { said: string; own?: string; drawn: string; fills: string; status?: string }
>;

/** Ways to end: the result in words, and the same said to the winner. */
export const TERMINATIONS: Record<string, { words: string; own: string }>;

/** The server's refusals that are said to people in other words. */
export const REFUSALS: Record<string, string>;

/** What a foul makes, by its kind. */
export const FOULS: Record<string, string>;

/** The name of each reaction. */
export const REACTIONS: Record<string, string>;

/** The languages of the page, English first. */
export const LANGUAGES: string[];

/** Rows and columns of a board, characters of a name. */
export const LIMITS: { side: number; name: number };
