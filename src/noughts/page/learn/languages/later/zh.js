/** 中文: the texts of the lesson’s later screens in Chinese, by the English. */

export default {
  "A move changes only the sums of the lines through its own cell: X adds 1 to each, O subtracts 1.":
    "一步棋只会改变经过该格的各条线的和：X 各加 1，O 各减 1。",
  "Ask again": "再问一次",
  "Checked in {seconds} s.": "评判用时 {seconds} 秒。",
  "Checking your class…": "正在评判。",
  Correct: "正确答案",
  "Correct version": "正确写法",
  "Correct.": "答对了。",
  "Couldn’t load JavaScript. Check your connection and press Run.":
    "JavaScript 未能加载。有网络吗？点“运行”可再试一次。",
  "Couldn’t load Python. Check your connection and press Run.":
    "Python 未能加载。有网络吗？点“运行”可再试一次。",
  "Creating an object": "创建一个对象",
  Expected: "正确答案",
  "Expected: {right}. Answered: {answered}.": "正确答案：{right}。实际答案：{answered}。",
  "First, another object: {board}": "先是另一个对象：{board}",
  "Go to line {line}": "转到第 {line} 行",
  "Guess the next move": "猜下一步",
  "It behaves like a class with this mistake:": "它的回答与犯这个错误的类相同：",
  "It cannot be run": "无法运行",
  "It crashed": "程序崩溃了",
  "It is correct, but each move does more work as the board grows: the race shows how much.":
    "它是对的。但棋盘越大，每一步要看的越多：赛跑里能看到多多少。",
  "It took too long": "用时过长",
  "It took too much memory": "占用内存过多",
  "Link copied.": "链接已复制。",
  "Loading Python: {loaded} of {size} MB": "正在加载 Python：{loaded} / {size} MB",
  "Look at three mistakes first: the quiz asks about those you have seen.":
    "请先看三个错误：测验只问你看过的。",
  "Meanwhile, on another object: {board}": "另一个对象同时在下：{board}",
  Memory: "内存",
  "Next question": "下一题",
  "Not “{mistake}”: a class with that mistake judges this game correctly.":
    "不是“{mistake}”：有这个错误的类对这一局判断正确。",
  Output: "打印的内容",
  "Perfect! You spotted every mistake.": "太棒了！你找出了所有错误。",
  "Play the move": "走这一步",
  "Python is ready.": "Python 已就绪。",
  "Question {number} of {all}": "第 {number} 题，共 {all} 题",
  Result: "结果",
  "Review these:": "这些值得再看一遍：",
  "Starting Python…": "Python 正在启动……",
  "Step back, and guess what a move changes.": "退回几步，猜猜一步棋会改变什么。",
  "Stopped.": "已停止。",
  "Tap it beside the board.": "在棋盘旁点按它。",
  "Tap the sums below: once for +1, twice for −1.": "点按下面的和：点一次为 +1，点两次为 −1。",
  "That was the last question.": "题目已经答完。",
  "The link is in the address bar.": "链接在地址栏中。",
  "The object that gives the wrong answer: {board}": "出错的对象：{board}",
  "The rest of the class is correct: it keeps one sum per line.":
    "未显示的部分是正确的，为每条线记一个和。",
  "The rest of the class is correct: it scans the board after each move.":
    "未显示的部分是正确的，每步之后查看棋盘。",
  "The smallest game that shows it": "暴露它的最小棋局",
  "This game is judged wrongly. Which mistake causes it?": "这局棋判错了。是哪个错误？",
  "This is what was measured.": "这是实测结果。",
  "Time per move": "一步的时间",
  "What is wrong with this code?": "这段代码错在哪里？",
  "What will this class answer to the last move?": "对最后一步，这个类会回答什么？",
  "Which line is wrong? Tap it.": "哪一行错了？点按它。",
  "With your choice, the code would have:": "若是你选的错误，代码中会是：",
  Wrong: "错误",
  "Wrong. The answer is:": "答错了。应该是：",
  "Wrong:": "错误：",
  Answered: "实际答案",
  "Your curves are dashed.": "虚线是你画的曲线。",
  "Your guess": "你的猜测",
  "Your guess:": "你的猜测：",
  "an error": "报错",
  correct: "正确",
  "guessed: {guess}": "你猜：{guess}",
  "looking for the mistake": "正在查找错误",
  "looking for the smallest failing game": "正在查找能说明问题的最短对局",
  "measuring how time and memory grow": "正在测量时间和内存如何增长",
  "n = {n}, {referee}: {count} reads": "n = {n}，{referee}：读取 {count} 次",
  "no answer": "没有答案",
  "not guessed": "没猜到",
  "playing every game on small boards": "正在小棋盘上下完所有对局",
  "playing on {board}": "正在 {board} 棋盘上对局",
  "reads per move, as drawn / as measured": "每步读取次数：所画 / 实测",
  wrong: "错误",
  "{count} correct": "答对 {count} 题",
  "{count} of {all} correct": "答对 {count} 题，共 {all} 题",
  "{mark} plays {cell} next and wins. Which sum will show it?":
    "接下来 {mark} 下在 {cell} 并获胜。哪个和会显示出来？",
  "{mark} plays {cell} next. Which sums will change, and by how much?":
    "接下来 {mark} 下在 {cell}。哪些和会变，各变多少？",
  "{referee}: close. At n = {n} you drew {guess}, and it reads {count}.":
    "{referee}：很接近。n = {n} 时你画了 {guess}，实测 {count}。",
  "{referee}: flat too early. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}：过早变平。n = {n} 时你画了 {guess}，实测 {count}。",
  "{referee}: too high. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}：偏高。n = {n} 时你画了 {guess}，实测 {count}。",
  "{referee}: too low. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}：偏低。n = {n} 时你画了 {guess}，实测 {count}。",
  "{referee}: too steep. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}：太陡。n = {n} 时你画了 {guess}，实测 {count}。",
  "{right} of {all} guessed": "猜对 {right} / {all}",
  "{sum}, your guess: {guess}": "{sum}，你猜：{guess}",
  "Contains the code that was checked, and in comments your name, the verdict, the number of checks and the time since your first change. Nothing is sent from here.":
    "包含已检查的代码，并在注释中写明你的姓名、结论、检查次数和自首次修改以来的时间。这里不会发送任何内容。",
  "Copy a link": "复制链接",
  "Goal missed: {order} per move instead of {goal}.": "未达到目标：每步 {order}，而不是 {goal}。",
  "Goal reached: {order} per move.": "达到目标：每步 {order}。",
  "Hand in": "提交作业",
  "It is not clear whether moves take {goal}. Run the check again.":
    "无法确定每步是否为 {goal}。请再检查一次。",
  "Save a file": "保存文件",
  "Saved as {file}.": "已保存为 {file}。",
  "At most O(n) per move.": "每步至多 O(n)。",
  "“check_winner” is given a 3×3 board of “X”, “O” and “ ”. It returns who has three in a row, or None.":
    "“check_winner”接收一个由“X”、“O”和“ ”组成的 3×3 棋盘，返回谁已三子连线，否则返回 None。",
  "“tictactoe” is given the moves of a game on 3×3, each as row and column; A moves first. It returns “A”, “B”, “Draw”, or “Pending” if the game is not over.":
    "“tictactoe”接收一局 3×3 对局的所有着法，每步为行和列，A 先走。返回“A”、“B”、“Draw”；若对局未结束，返回“Pending”。",
  "“valid_tic_tac_toe” is given a 3×3 board of “X”, “O” and “ ”. It returns whether a game can lead to it; X moves first, and nobody moves after a win.":
    "“valid_tic_tac_toe”接收一个由“X”、“O”和“ ”组成的 3×3 棋盘，返回它能否在对局中出现：X 先走，获胜后不再落子。",
};
