/** 中文: the texts of the lesson in Chinese, by the English. */

export default {
  "A cell on two lines counts twice.": "在两条线上的格子算两次。",
  "A move can complete only the lines through its own cell: its row, its column and at most two diagonals.":
    "一步棋只可能连成经过该格的线：所在的行、列，以及至多两条对角线。",
  "A move changes only the lines through its own cell: its row, its column, and up to two diagonals. If you keep one number per line, you need to check only the numbers of these lines. Step through a game, or play on.":
    "一步棋只会改变经过该格的几条线：所在的行、列，以及至多两条对角线。若为每条线记一个数，就只需看这几个数。你可以逐步回放一局，也可以接着下。",
  "A scan may stop at the first cell that is not the player’s. That helps on most lines, but not on one that is nearly complete: it has to read that line to the end.":
    "扫描可以在遇到第一个不属于该玩家的格子时停下。这对大多数线有用，但对快要连成的线没用：那条线必须全部看完。",
  "A short game": "一局短棋",
  "A sum of 0 may mean an empty line or one with equal numbers of X and O; two tallies tell them apart. So tallies also show who can still win, at the cost of one extra number per line.":
    "和为 0 的线可能是空的，也可能 X 与 O 一样多；两个计数就能区分。所以计数还知道谁仍有机会获胜，代价是每条线多记一个数。",
  "Add 1 for player 1 and −1 for player 2 to the sum of the row, of the column and of each diagonal through the cell. The move wins if one of these sums is n or −n.":
    "玩家 1 加 1，玩家 2 加 −1：加到该格所在的行、列和每条对角线的和上。若其中一个和等于 n 或 −n，这一步就获胜。",
  "An empty board, {board}.": "空棋盘，{board}。",
  Answers: "答案",
  Axis: "坐标轴",
  "Back to my code": "回到我的代码",
  "Before move 1 of {all}.": "第 1 步之前，共 {all} 步。",
  "Board scan": "扫描棋盘",
  "Board size": "棋盘边长",
  "Checker’s verdict": "检查器的结论",
  Compare: "对照",
  "Compare with a solution": "与参考解法对照",
  "Copy a link to this code": "复制此代码的链接",
  Curve: "曲线",
  "Draw again": "重新画",
  "Draw on the chart, or use the arrow keys on the slider: left and right choose n, up and down the height.":
    "直接在图上画，或在滑块上用方向键：左右选择 n，上下调整高度。",
  "Each cell is on the board and empty, players are 1 and 2, either may begin, and nobody moves after a win.":
    "每个格子都在棋盘内且为空，玩家为 1 和 2，谁先走都可以，获胜之后不再落子。",
  "Fill a row, column or diagonal to win. Play, and watch how many cells a referee checks after each move.":
    "填满一行、一列或一条对角线即获胜。下棋，看看裁判在每一步之后要检查多少格。",
  "First draw it: how much will each referee read per move?": "先画一画：每位裁判每步要读多少？",
  Forward: "前进",
  "Four lines at once": "一次连成四条线",
  "Goal:": "目标：",
  "Guaranteed:": "保证：",
  "Guess first": "先猜一猜",
  "How does the number grow – and does it have to?": "这个数会怎样变化？非得如此吗？",
  "How long a line is, how large the board is, and how cells are numbered":
    "线有多长、棋盘有多大、格子怎样编号",
  "How many cells will a referee check now?": "裁判现在要检查多少格？",
  "How much does a referee read per move as the board grows? These numbers are measured, not computed: on each board from 3×3 to 100×100, a random game is played to the end.":
    "棋盘变大时，裁判每步要读多少个数？这是数出来的，不是算出来的：在 3×3 到 100×100 的每种棋盘上，各随机下完一局。",
  "I don’t know": "不知道",
  "Keep one number per line. What do you add for player 1, and what for player 2, so that the number shows who has filled the line?":
    "为每条线记一个数。玩家 1 和玩家 2 各加多少，才能从这个数看出是谁填满了这条线？",
  "Last position": "最后局面",
  Linear: "线性",
  Lines: "线",
  "Loading Python…": "正在加载 Python……",
  Logarithmic: "对数",
  "Make the board larger.": "把棋盘变大。",
  Move: "步",
  "Move {ply} of {all}: {mark} plays {cell}.": "第 {ply} 步，共 {all} 步：{mark} 下在 {cell}。",
  Moves: "棋步",
  "Next: the race": "下一节：赛跑",
  "Next: three referees": "下一节：三位裁判",
  "Next: what goes wrong": "下一节：哪里会出错",
  "Next: your turn": "下一节：轮到你写",
  "No moves yet: play one.": "还没有落子：先下一步。",
  "No winner yet. {mark} to move.": "尚无人获胜。轮到 {mark}。",
  "No winner: the board is full.": "棋盘已满，无人获胜。",
  "O(1) per move, however large the board.": "无论棋盘多大，每步 O(1)。",
  "On 2×2, player 1 at (0, 1), 2 at (0, 0), 1 at (1, 0): the last call returns 1, because it fills a diagonal.":
    "2×2：玩家 1 下在 (0, 1)，2 下在 (0, 0)，1 下在 (1, 0)：最后一次调用返回 1，因为填满了一条对角线。",
  "On 3×3, player 1 at (0, 0), 2 at (1, 1), 1 at (0, 1), 2 at (2, 2), 1 at (0, 2): the last call returns 1, the others 0.":
    "3×3：玩家 1 下在 (0, 0)，2 下在 (1, 1)，1 下在 (0, 1)，2 下在 (2, 2)，1 下在 (0, 2)：最后一次调用返回 1，其余返回 0。",
  "On an n×n board the scan stores n² marks, the tallies 4n + 4 numbers, and the sums 2n + 2. Storing numbers instead of marks hardly helps on 3×3 but saves a lot on 100×100: 404 or 202 numbers instead of 10,000 marks.":
    "棋盘有 n 行 n 列时，扫描要记 n² 个标记，计数要记 4n + 4 个数，和要记 2n + 2 个数。在 3×3 上没有好处，在 100×100 上好处很大：10 000 个对 404 个和 202 个。",
  "One sum per line: +1 for each X, −1 for each O. A line has n cells, so it is complete at +n or −n.":
    "为每条线记一个和：X 记 +1，O 记 −1。一条线有 n 格，所以到 +n 或 −n 就连成了。",
  "Only lines through the last move can be complete now. So this referee, the board scan, checks every cell on each of them; a cell on two lines is checked twice. It keeps no results and starts again after each move.":
    "此时只有经过最后一步的线才可能连成。因此这位裁判（扫描棋盘）查看这些线上的每一格：两线相交处要看两次。看过就忘，下一步又从头开始。",
  "Play new games": "换一批对局",
  "Player tallies": "分别计数",
  "Programming language": "编程语言",
  "Repeat what I missed": "重做答错的题",
  Replay: "重放",
  Reset: "重置",
  Run: "运行",
  Sections: "章节",
  Sharing: "共享",
  "Show a hint": "显示提示",
  "Show what is measured": "显示实测结果",
  "Signed sums": "带符号的和",
  Sizes: "大小",
  Start: "开始答题",
  Stop: "停止",
  "Stores every mark. After a move, it checks every cell on the lines through that move.":
    "记住每个棋子。每走一步，把经过它的每条线从头看到尾。",
  "Tab indents. Escape, then Tab leaves the editor. Ctrl+Enter or ⌘+Enter runs the check.":
    "Tab 缩进；先按 Esc 再按 Tab 离开编辑器；Ctrl 或 ⌘ 加回车运行。",
  "Tap them on the board.": "在棋盘上点按它们。",
  "The board scan reads at least 2n cells, so it reads more on larger boards. Tallies and sums read two to four numbers, each at most twice: once to count and once to compare. The size of the board makes no difference. That is what “constant time”, or O(1), means.":
    "扫描棋盘至少要读 2n 格：棋盘越大，读得越多。计数与求和只读二到四个数，各至多读两次：一次累加，一次比较。棋盘多大都一样。这就是“常数时间”O(1) 的意思。",
  "The checker’s verdict will appear here: whether the class is correct and, if not, the smallest game that shows it.":
    "检查器的结论会显示在这里：这个类是否正确；如果不正确，给出能说明问题的最短对局。",
  "The games couldn’t be played. Try “Play new games”.": "无法进行这些对局。请试试“换一批对局”。",
  "The question": "问题",
  "The race": "赛跑",
  "There are only a few numbers to keep, but many ways to get them wrong. People really make these mistakes: each is shown with the wrong lines of code, the reason people write them, and the smallest game that exposes it.":
    "要记的数不多，出错的方式却不少。这些都是人们真正会犯的错误：每个都给出写错的代码、为什么会这样写，以及能暴露它的最小棋局。",
  "Three referees": "三位裁判",
  "Two counts per line: how many marks X has on it, and how many O has. A player who reaches n has won.":
    "为每条线记下 X 有几子、O 有几子。谁先到 n，谁就获胜。",
  "Two players mark cells of an n×n board. “move” is called for each mark and returns the player if this mark fills a row, a column or a diagonal, otherwise 0.":
    "两名玩家在 n×n 的棋盘上落子。每落一子就调用一次“move”：若这一子填满一行、一列或一条对角线，返回该玩家，否则返回 0。",
  "Up to ten questions about the mistakes you have seen: each shows a wrongly judged game or some wrong code. Pick the mistake that fits.":
    "最多十道题，都是你看过的错误：每题给出一局判错的棋或一段错误的代码。选出对应的错误。",
  "What belongs to one game, and what several games share by mistake":
    "什么属于一局棋，什么被几局棋误用",
  "What goes wrong": "哪里会出错",
  "What is returned, and when": "返回什么，何时返回",
  "Which cells make a line, and which lines a move can complete":
    "哪些格子成线，一步棋能连成哪些线",
  "Which cells must a referee check now?": "裁判现在必须检查哪些格子？",
  "Which one is it?": "是哪一个？",
  "Who has won?": "谁赢了？",
  "Who has won? · noughts": "谁赢了？· noughts",
  "Who the marks belong to": "棋子是谁的",
  "Write a class that reports the winner after every move. It is checked in your browser, by the same code as “noughts check”: nothing is sent anywhere, and your code stays on this device.":
    "写一个类，让它在每一步之后都知道谁赢了。评判就在这里进行，由你浏览器中的 Python 运行，代码与命令行相同：不会发送任何内容，你写的代码保存在这台设备上。",
  "X to move": "轮到 X",
  "You guessed {guess}, and it is {count}.": "你猜 {guess}，正是 {count}。",
  "You guessed {guess}, but it is {count}: each line is checked to its end.":
    "你猜 {guess}，实为 {count}：每条线都要检查到底。",
  "You guessed {guess}, but it is {count}: other lines cannot have changed.":
    "你猜 {guess}，实为 {count}：其他线不可能有变化。",
  "Your class": "你的类",
  "Your class, in Python": "你的类（Python）",
  "Your game from above": "你在上面下的棋",
  "Your tests": "你的测试",
  "as in the code": "按代码",
  "cells checked": "查看的格子数",
  "cells checked for {mark} at {cell}": "{mark} 下在 {cell} 后查看的格子数",
  guessed: "已猜",
  "n, the board size": "n，棋盘边长",
  "numbers read per move, on average": "平均每步读取的数",
  "numbers stored": "记住",
  reads: "读",
  "reads per move": "每步读取次数",
  "since the first move": "（从第一步起累计）",
  "total reads": "累计读",
  writes: "写",
  "{board}: board scan {scan}, player tallies {tallies}, signed sums {sums} reads per move":
    "{board}：每步读取，扫描棋盘 {scan}，分别计数 {tallies}，带符号的和 {sums}",
  "{count} missed": "漏掉 {count}",
  "{count} needless": "多余 {count}",
  "{count} right": "猜对 {count}",
  "{games} games, {moves} moves: {scan} reads by the board scan, {sums} by the signed sums.":
    "共 {games} 局、{moves} 步：扫描棋盘读取 {scan} 次，带符号的和读取 {sums} 次。",
  "{mark} at {cell}.": "{mark} 下在 {cell}。",
  "{mark} at {cell}: {count} cells checked. {standing}":
    "{mark} 下在 {cell}：查看了 {count} 格。{standing}",
  "{mark} has won: {lines}.": "{mark} 获胜：{lines}。",
  "{referee}: {reads} reads, {writes} writes.": "{referee}：读 {reads}，写 {writes}。",
  "For teachers": "教师专区",
  "Show the lesson’s own": "显示课程自带的题目",
  "This is your teacher’s task.": "这是老师布置的题目。",
};
