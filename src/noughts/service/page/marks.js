/**
 * The pen: crosses, noughts and the lines between cells, in units of a hundredth of a cell.
 *
 * No two marks of a hand are alike, so each cell bends its strokes a little, always the same way.
 */

export const CELL = 100;

/** A number from −reach to reach that depends on the cell and the salt alone. */
function wobble(row, col, salt, reach) {
  let hash = (row * 374761393 + col * 668265263 + salt * 2147483647) | 0;
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  hash ^= hash >>> 16;
  return (((hash >>> 0) % 2001) / 1000 - 1) * reach;
}

/** The strokes of a player's mark in a cell, as path data each. */
export function strokes(player, row, col) {
  const at = (x, y, salt, reach = 1.6) => {
    const dx = wobble(row, col, salt, reach);
    const dy = wobble(row, col, salt + 1, reach);
    return `${(col * CELL + x + dx).toFixed(1)} ${(row * CELL + y + dy).toFixed(1)}`;
  };
  if (player === 1) {
    return [
      `M${at(25, 25, 1)}Q${at(52, 47, 3, 3)} ${at(75, 75, 5)}`,
      `M${at(75, 24, 7)}Q${at(48, 52, 9, 3)} ${at(25, 76, 11)}`,
    ];
  }
  // A ring begun a little past the top and closed over its beginning, as one writes it.
  return [
    `M${at(56, 22, 1, 1.5)}C${at(38, 17, 3)} ${at(21, 32, 5)} ${at(21, 51, 7, 1.5)}` +
      `S${at(34, 79, 9)} ${at(51, 79, 11, 1.5)}S${at(79, 67, 13)} ${at(79, 49, 15, 1.5)}` +
      `S${at(66, 22, 17)} ${at(49, 22.5, 19, 1)}`,
  ];
}

/** The lines between the cells of a board, without a frame; every tenth apart as `major`. */
export function ruling([rows, cols]) {
  const inset = rows * cols > 400 ? 0 : 8;
  const paths = { minor: "", major: "" };
  const width = (index, side) => (side >= 20 && index % 10 === 0 ? "major" : "minor");
  for (let row = 1; row < rows; row++) {
    paths[width(row, rows)] += `M${inset} ${row * CELL}H${cols * CELL - inset}`;
  }
  for (let col = 1; col < cols; col++) {
    paths[width(col, cols)] += `M${col * CELL} ${inset}V${rows * CELL - inset}`;
  }
  return paths;
}

/** A stroke through the cells of a line, past the middle of the first and the last. */
export function strike(line, beyond = 0.3) {
  const [[r1, c1], [r2, c2]] = [line[0], line.at(-1)];
  const far = (from, to) => (Math.sign(to - from) * beyond + to + 0.5) * CELL;
  return `M${far(c2, c1)} ${far(r2, r1)}L${far(c1, c2)} ${far(r1, r2)}`;
}

/** The square of a cell, for tints. */
export const square = (row, col) => `M${col * CELL} ${row * CELL}h${CELL}v${CELL}h-${CELL}z`;
