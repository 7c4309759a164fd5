/** The symbols that are drawn anew as the page changes: code, so that drawing asks for nothing. */

export const ICONS = {
  cross: "M5.5 5.5Q12 12 18.6 18.4M18.4 5.4Q11.8 12.2 5.6 18.6",
  nought: "M13.6 5.1C8.8 3.6 5 7.6 5 12.2S8.1 19.1 12.2 19.1S19.1 16.2 19.1 11.8S15.9 4.9 11.8 5",
  first: "M7 6V18M18 6L11 12L18 18",
  back: "M15 6L8 12L15 18",
  forward: "M9 6L16 12L9 18",
  last: "M17 6V18M6 6L13 12L6 18",
};
