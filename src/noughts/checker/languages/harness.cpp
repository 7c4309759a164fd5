// Plays a solution in C++; see noughts.checker.running for what it is asked.
// It is compiled with SOLUTION, the name of the class, or of the function if WHOLE is 2; WHOLE is 1
// if the class has the function. All of it comes before the solution, whose macros may be anything.

#include <bits/stdc++.h>
#include <cxxabi.h>
#include <malloc.h>
#include <unistd.h>

namespace noughts {

std::size_t held = 0; // bytes

std::string request; // what is read, and not yet understood
std::size_t at = 0;
int requests, channel;
std::string answers;

void send() {
    std::cout.flush();
    std::fflush(nullptr);
    for (std::size_t sent = 0; sent < answers.size();) {
        ssize_t more = ::write(channel, answers.data() + sent, answers.size() - sent);
        if (more <= 0) _exit(1);
        sent += more;
    }
    answers.clear();
}

void fail(const char* why) {
    answers += std::string("fail ") + why + "\n";
    send();
    _exit(0);
}

int next() {
    if (at == request.size()) {
        request.resize(1 << 16);
        ssize_t more = ::read(requests, &request[0], request.size());
        if (more <= 0) _exit(0);
        request.resize(more);
        at = 0;
    }
    return request[at++];
}

std::string word() {
    std::string word;
    int c = next();
    while (c <= ' ') c = next();
    for (; c > ' '; c = next()) word += char(c);
    return word;
}

void script(std::vector<int>& numbers) {
    numbers.clear();
    int c;
    do {
        int number = 0;
        for (c = next(); c > ' '; c = next()) number = 10 * number + c - '0';
        numbers.push_back(number);
    } while (c == ' ');
}

std::string line(std::string text) {
    if (text.size() > 200) text = text.substr(0, 200) + "…";
    for (char& c : text)
        if ((unsigned char)c < ' ') c = ' ';
    return text;
}

template <class T> std::string written(const T& value) {
    if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
    else if constexpr (std::is_same_v<T, char>) return line(std::string("'") + value + "'");
    else if constexpr (std::is_integral_v<T>) return std::to_string(value);
    else if constexpr (std::is_floating_point_v<T>) return "double " + std::to_string(value);
    else if constexpr (std::is_convertible_v<T, std::string>) return line("'" + std::string(value) + "'");
    else return "a value of another type";
}

template <class F> std::string answer(F call) {
    try {
        if constexpr (std::is_void_v<decltype(call())>) return call(), "nothing";
        else return written(call());
    } catch (const std::bad_alloc&) {
        fail("memory it ran out of memory");
    } catch (const std::exception& error) {
        char* name = abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, nullptr);
        return line(std::string("!") + (name ? name : "exception") + ": " + error.what());
    } catch (...) {
        return "!an exception";
    }
    return "";
}

double clock(clockid_t which) {
    timespec now;
    clock_gettime(which, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

// The seconds that a call takes. The processor's clock leaves out what else a busy machine does, but
// is slow to read.
template <class F> double seconds(F call) {
    double begun = clock(CLOCK_THREAD_CPUTIME_ID), start = clock(CLOCK_MONOTONIC);
    call();
    double passed = clock(CLOCK_MONOTONIC) - start;
    return std::min(passed, clock(CLOCK_THREAD_CPUTIME_ID) - begun);
}

template <class T> std::string moved(T& object, const int* move) {
    return answer([&] { return object.move(move[0], move[1], move[2]); });
}

template <class T> void play(const std::vector<int>& script) {
    int sides = script[0], width = sides == 1 ? 3 : 4;
    std::vector<std::unique_ptr<T>> objects(sides);
    std::vector<std::string> unmade(sides);
    for (int i = 0; i < sides; i++)
        unmade[i] = answer([&] { objects[i] = std::make_unique<T>(script[i + 1]); });
    for (std::size_t i = sides + 1; i < script.size(); i += width) {
        if (i > std::size_t(sides) + 1) answers += '\t';
        int which = sides == 1 ? 0 : script[i];
        answers += objects[which] ? moved(*objects[which], &script[i + width - 3]) : unmade[which];
    }
}

template <class T> void time(const std::vector<int>& script, int repeats) {
    double make = 1e9, move = 1e9;
    for (int i = 0; i < repeats; i++) {
        std::unique_ptr<T> object;
        make = std::min(make, seconds([&] { object = std::make_unique<T>(script[1]); }));
        move = std::min(move, seconds([&] {
            for (std::size_t j = 2; j < script.size(); j += 3)
                object->move(script[j], script[j + 1], script[j + 2]);
        }));
    }
    answers += std::to_string(make * 1e9) + "e-9 " + std::to_string(move * 1e9) + "e-9";
}

template <class T> void size(const std::vector<int>& script) {
    std::size_t before = held;
    std::unique_ptr<T> object = std::make_unique<T>(script[1]);
    for (std::size_t i = 2; i < script.size(); i += 3) moved(*object, &script[i]);
    answers += std::to_string(held - before);
}

template <class F> std::string game(const std::vector<int>& script, F function) {
    std::vector<std::vector<int>> moves;
    for (std::size_t i = 2; i < script.size(); i += 3) moves.push_back({script[i], script[i + 1]});
    return answer([&] { return function(moves); });
}

struct Nothing {};

// `T` is the class, or Nothing where `function` judges whole games.
template <class T, class F> int serve(char** words, F function) {
    constexpr bool whole = std::is_same_v<T, Nothing>;
    requests = std::atoi(words[1]);
    channel = std::atoi(words[2]);
    answers = "{}\n";
    std::vector<int> numbers;
    for (;;) {
        send();
        std::string verb = word();
        int count = verb == "size" ? 0 : std::stoi(word());
        bool states = verb == "play" && word() == "1";
        for (int i = 0; i < (verb == "play" ? count : 1); i++) {
            script(numbers);
            if (verb == "play" && states) answers += (whole || numbers.size() > std::size_t(numbers[0]) + 1) ? "-\t" : "-";
            if constexpr (whole) {
                if (verb == "play") answers += game(numbers, function);
                if (verb == "size") answers += "None";
                if (verb == "time") {
                    double best = 1e9;
                    for (int j = 0; j < count; j++)
                        best = std::min(best, seconds([&] { game(numbers, function); }));
                    answers += "0 " + std::to_string(best * 1e9) + "e-9";
                }
            } else {
                if (verb == "play") play<T>(numbers);
                if (verb == "size") size<T>(numbers);
                if (verb == "time") time<T>(numbers, count);
            }
            answers += '\n';
        }
    }
}

} // namespace noughts

// Memory is counted; and filled, so that what was never set is never 0 by luck.
void* operator new(std::size_t size) {
    void* p = std::malloc(size ? size : 1);
    if (!p) throw std::bad_alloc();
    noughts::held += malloc_usable_size(p);
    return std::memset(p, 0xA5, size);
}
void operator delete(void* p) noexcept {
    if (p) noughts::held -= malloc_usable_size(p);
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

using namespace std;
#define main solution_main
#include "solution.h"
#undef main

signed main(signed, char** words) {
#if WHOLE == 0
    return noughts::serve<SOLUTION>(words, 0);
#elif WHOLE == 1
    return noughts::serve<noughts::Nothing>(words, [](auto& moves) { return SOLUTION().tictactoe(moves); });
#else
    return noughts::serve<noughts::Nothing>(words, [](auto& moves) { return SOLUTION(moves); });
#endif
}
