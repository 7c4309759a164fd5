/** 中文: the texts for teachers in Chinese, by the English. */

export default {
  "(arrow keys change the screen)": "（用方向键切换画面）",
  "A task": "布置题目",
  "Checking {file}: {number} of {count}": "正在检查 {file}：第 {number} 个，共 {count} 个",
  "Checks (not verified)": "检查次数（未核实）",
  "Code to begin with": "起始代码",
  "Copy the table": "复制表格",
  "Drop the files here that your class has saved with “Hand in”, or choose them. Anyone can change what such a file says of itself, so each is checked again, and the table shows both.":
    "把学生用“提交作业”保存的文件拖到这里，或选择文件。文件中的说明任何人都能改，因此每个文件都会重新检查，表格同时显示两者。",
  Files: "文件",
  "Handed in as": "提交时的结论",
  "Hints and a solution": "提示和参考答案",
  "Make a task of your own, and check what your class hands in. Nothing is stored on a server, and the checks run in this browser.":
    "自己布置题目，并检查学生提交的作业。服务器不保存任何内容，检查在此浏览器中进行。",
  "Minutes (not verified)": "用时（分钟，未核实）",
  Mistake: "错误",
  Name: "姓名",
  "On the command line: ": "命令行：",
  Problem: "问题",
  Results: "结果",
  Text: "题目说明",
  "Show the lesson on a projector": "用投影仪展示课程",
  "The problem’s own text": "使用问题自带的说明",
  "The table is copied; it can be pasted into a spreadsheet.": "表格已复制，可粘贴到电子表格中。",
  "This browser does not allow copying here.": "此浏览器不允许在此处复制。",
  "This link is too long for a QR code.": "此链接太长，无法生成二维码。",
  Verdict: "结论",
  "Your class opens this link; it contains the whole task:":
    "学生打开此链接即可，题目全部包含在链接中：",
  any: "不限",
  "{right} of {count} correct": "{count} 个中 {right} 个正确",
};
