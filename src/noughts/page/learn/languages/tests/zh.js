/** 中文: the texts about the reader’s tests in Chinese, by the English. */

export default {
  "A correct class fails your tests": "正确的类没有通过你的测试",
  "Add this test": "添加这个测试",
  Added: "已添加",
  "Catches {caught} of {count} known mistakes": "{count} 个已知错误中发现了 {caught} 个",
  "Fix this first. Your tests then run with each mistake.": "请先改好这里，之后才会逐个尝试错误。",
  "No known mistake gets past your tests.": "没有一个已知错误能逃过你的测试。",
  "No test catches these. Open one to see the smallest test that does.":
    "这些错误没有测试能发现。点开一个，看看能发现它的最小测试。",
  "Running your tests with correct classes…": "正在用正确的类运行你的测试…",
  "Show the mistake": "查看这个错误",
  "Tests are functions named test_… that use assert, or unittest classes; pytest is not available in a browser. They may import the class from any module.":
    "测试是名为 test_… 并使用 assert 的函数，或 unittest 的类；浏览器中没有 pytest。类可以从任意模块导入。",
  "The mistakes that your tests miss will appear here, each with a test that catches it.":
    "你的测试漏掉的错误会显示在这里，每个都附有能发现它的测试。",
  "Trying mistake {number} of {count}…": "正在尝试错误 {number}/{count}…",
  "What your tests catch": "你的测试能发现什么",
  "Write tests for such a class. They run with correct classes, which must pass, and with each mistake from “What goes wrong”, which should fail at least one test.":
    "为这样的类写测试。测试会用正确的类运行，它们必须通过；还会用“哪里会出错”中的每个错误运行，每个错误应至少让一个测试失败。",
  "Your tests cannot be run": "你的测试无法运行",
  "Your tests did not finish": "你的测试没有运行完",
  "Your tests, in Python": "你的测试（Python）",
  "{test} fails with a correct class: {why}": "正确的类没有通过 {test}：{why}",
};
