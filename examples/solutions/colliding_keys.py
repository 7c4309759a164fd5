class TicTacToe:
    def __init__(self, n: int):
        self.n = n
        self.marks: dict[str, int] = {}

    def move(self, row: int, col: int, player: int) -> int:
        self.marks[f"{row}{col}"] = player
        cells = range(self.n)
        lines = [[f"{row}{i}" for i in cells], [f"{i}{col}" for i in cells]]
        if row == col:
            lines.append([f"{i}{i}" for i in cells])
        if row + col == self.n - 1:
            lines.append([f"{i}{self.n - 1 - i}" for i in cells])
        return (
            player if any(all(self.marks.get(k) == player for k in line) for line in lines) else 0
        )
