/** 中文: the texts about JavaScript in Chinese, by the English. */

export default {
  "JavaScript is ready.": "JavaScript 已就绪。",
  "Loading JavaScript…": "正在加载 JavaScript……",
  "Time and memory are not measured here; “noughts check” measures them.":
    "这里不测量时间和内存；“noughts check”会测量。",
  "Your class, in JavaScript": "你的类（JavaScript）",
};
