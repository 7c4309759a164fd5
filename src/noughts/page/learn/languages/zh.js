/** 中文: the texts of the lesson in Chinese, by the English. */

export default {
  "A move changes only the lines through its own cell: its row, its column, and a diagonal or two. Whoever keeps a number for each line has only those to look at. Step through a game, or play on.":
    "一步棋只会改变经过该格的几条线：所在的行、列，以及至多两条对角线。若为每条线记一个数，就只需看这几个数。你可以逐步回放一局，也可以接着下。",
  "A scan may stop at the first cell that is not the player’s. That helps on most lines, but not on one that is nearly complete: of that it has to look at everything.":
    "扫描可以在遇到第一个不属于该玩家的格子时停下。这对大多数线有用，但对快要连成的线没用：那条线必须全部看完。",
  "A short game": "一局短棋",
  "A sum of 0 may be an empty line or one with as many X as O; two tallies tell them apart. So tallies also know who can still win, for one number more a line.":
    "和为 0 的线可能是空的，也可能 X 与 O 一样多；两个计数就能区分。所以计数还知道谁仍有机会获胜，代价是每条线多记一个数。",
  "A whole row, column or diagonal wins. After every move somebody has to say whether there is one. Play, and watch where one has to look.":
    "占满整行、整列或整条对角线者获胜。每走一步，都得有人判断是否已经连成。下几步，看看需要查看哪些格子。",
  "An empty board, {board}.": "空棋盘，{board}。",
  "Another object, made after it, plays first: {board}": "在它之后创建的另一个对象先下：{board}",
  Answered: "它的答案",
  Answers: "答案",
  Axis: "坐标轴",
  "Before move 1 of {all}.": "第 1 步之前，共 {all} 步。",
  Begin: "开始答题",
  "Board scan": "扫描棋盘",
  "Few numbers, and many ways to get them wrong. These mistakes people really make: each with the lines that are wrong, why one writes them, and the smallest game that shows it.":
    "要记的数不多，出错的方式却不少。这些都是人们真正会犯的错误：每个都给出写错的代码、为什么会这样写，以及能暴露它的最小棋局。",
  "First another object: {board}": "先是另一个对象：{board}",
  Forward: "前进",
  "Four lines at once": "一次连成四条线",
  "How long a line is, how large the board, and how cells are numbered":
    "线有多长、棋盘有多大、格子怎样编号",
  "How much does a referee read for a move, as the board grows? This is counted, not calculated: on each board from 3×3 to 100×100 a game is played at random to its end.":
    "棋盘变大时，裁判每步要读多少个数？这是数出来的，不是算出来的：在 3×3 到 100×100 的每种棋盘上，各随机下完一局。",
  "Keeps every mark. After a move it looks at the whole of each line through it.":
    "记住每个棋子。每走一步，把经过它的每条线从头看到尾。",
  "Keeps for each line how many marks X has on it, and how many O. Whoever has n has won.":
    "为每条线记下 X 有几子、O 有几子。谁先到 n，谁就获胜。",
  "Keeps one sum for each line: +1 for each X, −1 for each O. At +n or −n it is complete.":
    "为每条线记一个和：X 记 +1，O 记 −1。到 +n 或 −n 就连成了。",
  "Last position": "最后局面",
  Linear: "线性",
  Lines: "线",
  Logarithmic: "对数",
  "Look again": "再看一遍",
  "Look again at these:": "这些值得再看一遍：",
  "Make the board larger.": "把棋盘变大。",
  Move: "步",
  "Move {ply} of {all}: {mark} at {cell}.": "第 {ply} 步，共 {all} 步：{mark} 下在 {cell}。",
  Moves: "棋步",
  "Next question": "下一题",
  "Next: the race": "下一节：赛跑",
  "Next: three referees": "下一节：三位裁判",
  "Next: what goes wrong": "下一节：哪里会出错",
  "Nobody has won yet. {mark} to move.": "尚无人获胜。轮到 {mark}。",
  "Nobody has won, and the board is full.": "棋盘已满，无人获胜。",
  "Only lines through the last move can be complete now. So this referee, the board scan, looks at every cell of them: where two lines cross, twice. It forgets what it saw, and begins again after the next move.":
    "此时只有经过最后一步的线才可能连成。因此这位裁判（扫描棋盘）查看这些线上的每一格：两线相交处要看两次。看过就忘，下一步又从头开始。",
  "Play other games": "换一批对局",
  "Player tallies": "分别计数",
  "Question {number} of {all}": "第 {number} 题，共 {all} 题",
  Result: "结果",
  Right: "正确答案",
  "Right is": "正确的写法",
  "Right.": "答对了。",
  "Right: {right}. Answered: {answered}.": "正确答案：{right}。它的答案：{answered}。",
  Screens: "章节",
  Sharing: "共享",
  "Side of the board": "棋盘边长",
  "Signed sums": "带符号的和",
  Sizes: "大小",
  "Ten others": "换十题",
  "Ten questions: a game that is judged wrongly, or the code that does it. Of four mistakes one fits.":
    "十道题：一局被判错的棋，或判错它的代码。四个错误中只有一个符合。",
  "That was the last question.": "题目已经答完。",
  "The board scan reads at least 2n cells: more, the larger the board is. Tallies and sums read two to four numbers, each at most twice: to count, and to compare. They do not care how large the board is. That is what “constant time”, O(1), means.":
    "扫描棋盘至少要读 2n 格：棋盘越大，读得越多。计数与求和只读二到四个数，各至多读两次：一次累加，一次比较。棋盘多大都一样。这就是“常数时间”O(1) 的意思。",
  "The object that is wrong: {board}": "出错的对象：{board}",
  "The question": "问题",
  "The race": "赛跑",
  "The smallest game that shows it": "暴露它的最小棋局",
  "This game is judged wrongly. By which mistake?": "这局棋判错了。是哪个错误？",
  "Three referees": "三位裁判",
  "What belongs to one game, and what several games share by mistake":
    "什么属于一局棋，什么被几局棋误用",
  "What goes wrong": "哪里会出错",
  "What happens to the number? And must it?": "这个数会怎样变化？非得如此吗？",
  "What is not shown is right, and keeps one sum for each line.":
    "未显示的部分是正确的，为每条线记一个和。",
  "What is not shown is right, and looks at the board after each move.":
    "未显示的部分是正确的，每步之后查看棋盘。",
  "What is returned, and when": "返回什么，何时返回",
  "What is wrong with this code?": "这段代码错在哪里？",
  "Which cells make a line, and which lines a move can complete":
    "哪些格子成线，一步棋能连成哪些线",
  "Which one is it?": "是哪一个？",
  "Who has won?": "谁赢了？",
  "Who has won? · noughts": "谁赢了？· noughts",
  "Who the marks belong to": "棋子是谁的",
  "Wrong. It is this one:": "答错了。应该是：",
  "Wrong:": "错误：",
  "X to move": "轮到 X",
  "You know all that can go wrong.": "可能出的错你都认得。",
  "Your game from above": "你在上面下的棋",
  "cells looked at": "查看的格子数",
  "cells looked at for {mark} at {cell}": "{mark} 下在 {cell} 后查看的格子数",
  kept: "记住",
  "n, the side of the board": "n，棋盘边长",
  "no answer": "没有答案",
  "numbers read for a move, on average": "平均每步读取的数",
  read: "读",
  "read in all": "累计读",
  "reads a move": "每步读取次数",
  right: "正确",
  "since the first move": "（从第一步起累计）",
  written: "写",
  wrong: "错误",
  "{board}: board scan {scan}, player tallies {tallies}, signed sums {sums} reads a move":
    "{board}：每步读取，扫描棋盘 {scan}，分别计数 {tallies}，带符号的和 {sums}",
  "{count} of {all} right": "答对 {count} 题，共 {all} 题",
  "{count} right": "答对 {count} 题",
  "{games} games, {moves} moves: {scan} reads by the board scan, {sums} by the signed sums.":
    "共 {games} 局、{moves} 步：扫描棋盘读取 {scan} 次，带符号的和读取 {sums} 次。",
  "{mark} at {cell}: looked at {count} cells. {standing}":
    "{mark} 下在 {cell}：查看了 {count} 格。{standing}",
  "{mark} has won: {lines}.": "{mark} 获胜：{lines}。",
  "{referee}: {reads} read, {writes} written.": "{referee}：读 {reads}，写 {writes}。",
};
