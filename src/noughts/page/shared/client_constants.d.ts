/**
 * Constants of the server. It generates `client_constants.js` from its own definitions when it
 * starts.
 */

/** Variants. `decides` says, per seat and for nine pairs of neighbours, whether a line ends the game. */
export const VARIANTS: Record<
  string,
  {
    aim: string;
    about: string;
    loses: boolean;
    fouls: boolean;
    /** whether only some lines count; the page does not know which */
    counts: boolean;
    /** the only k that it allows, if it allows only one */
    k: number | null;
    /** whether it allows gravity */
    falls: boolean;
    /** the most rows or columns that the server allows */
    most: number;
    decides: [string, string];
  }
>;

/** Levels of the computer, from the weakest to the strongest. */
export const LEVELS: Record<string, { title: string; about: string; searches?: boolean }>;

/** Themes of the board. */
export const THEMES: Record<string, { title: string }>;

/**
 * Kinds of events: the announcement, the one for the player who acted, and the one if a draw was on
 * offer; the field of the state that the event fills; and the status after it, if that changes.
 */
export const EVENTS: Record<
  string,
  { said: string; own?: string; drawn: string; fills: string; status?: string }
>;

/** Ways to end: the result in words, and addressed to the winner. */
export const TERMINATIONS: Record<string, { words: string; own: string }>;

/** Texts of the server's API errors for users. */
export const ERRORS: Record<string, string>;

/** Names of fouls, by kind. */
export const FOULS: Record<string, string>;

/** Names of the reactions. */
export const REACTIONS: Record<string, string>;

/** The languages of the page, English first. */
export const LANGUAGES: string[];

/** The most rows or columns of a board, and characters of a name. */
export const LIMITS: { side: number; name: number };
