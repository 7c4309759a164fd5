// Plays a C++ solution; noughts.checker.isolated describes the protocol.
// SOLUTION is the name of the class, or of the function if WHOLE is 2; WHOLE is 1 if the class has the
// function. All of this comes before the solution, which may define any macros.

#include <bits/stdc++.h>
#include <cxxabi.h>
#include <malloc.h>
#include <unistd.h>

namespace noughts {

std::size_t held = 0; // bytes

std::string request; // input that is not parsed yet
std::size_t at = 0;
const int requests = 3, channel = 4;
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

std::string read() {
    std::string line;
    for (int c = next(); c != '\n'; c = next()) line += char(c);
    return line;
}

std::vector<int> game() {
    std::istringstream line(read());
    return std::vector<int>(std::istream_iterator<int>(line), {});
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

// Returns the seconds that a call takes. The processor's clock excludes other work on the machine but
// is slow to read.
template <class F> double seconds(F call) {
    double begun = clock(CLOCK_THREAD_CPUTIME_ID), start = clock(CLOCK_MONOTONIC);
    call();
    double passed = clock(CLOCK_MONOTONIC) - start;
    return std::min(passed, clock(CLOCK_THREAD_CPUTIME_ID) - begun);
}

using Games = std::vector<std::vector<int>>;

template <class T> struct Class {
    static std::string moved(T& object, const int* move) {
        return answer([&] { return object.move(move[0], move[1], move[2]); });
    }

    static void play(const Games& games) {
        std::vector<std::unique_ptr<T>> objects(games.size());
        std::vector<std::string> unmade(games.size()), lines(games.size());
        std::size_t longest = 0;
        for (std::size_t i = 0; i < games.size(); i++) {
            unmade[i] = answer([&] { objects[i] = std::make_unique<T>(games[i][0]); });
            longest = std::max(longest, games[i].size());
        }
        for (std::size_t at = 1; at < longest; at += 3)
            for (std::size_t i = 0; i < games.size(); i++)
                if (at < games[i].size())
                    lines[i] += (at > 1 ? "\t" : "") + (objects[i] ? moved(*objects[i], &games[i][at]) : unmade[i]);
        for (auto& line : lines) answers += line + "\n";
    }

    static void time(const std::vector<int>& game, int repeats) {
        double make = 1e9, move = 1e9;
        for (int i = 0; i < repeats; i++) {
            std::unique_ptr<T> object;
            make = std::min(make, seconds([&] { object = std::make_unique<T>(game[0]); }));
            move = std::min(move, seconds([&] {
                for (std::size_t j = 1; j < game.size(); j += 3) object->move(game[j], game[j + 1], game[j + 2]);
            }));
        }
        answers += std::to_string(make * 1e9) + "e-9 " + std::to_string(move * 1e9) + "e-9\n";
    }

    static void size(const std::vector<int>& game) {
        std::size_t before = held;
        std::unique_ptr<T> object = std::make_unique<T>(game[0]);
        for (std::size_t i = 1; i < game.size(); i += 3) moved(*object, &game[i]);
        answers += std::to_string(held - before) + "\n";
    }
};

template <class F> struct Function {
    static void play(const Games& games) {
        std::vector<std::vector<int>> moves;
        for (std::size_t i = 1; i < games[0].size(); i += 3) moves.push_back({games[0][i], games[0][i + 1]});
        answers += answer([&] { return F()(moves); }) + "\n";
    }
    static void time(const std::vector<int>&, int) {}
    static void size(const std::vector<int>&) {}
};

template <class Judged> int serve() {
    answers = "{}\n";
    send();
    read(); // the name to judge, already compiled in
    for (;;) {
        std::istringstream asked(read());
        std::string verb;
        int count;
        asked >> verb >> count;
        Games games(verb == "time" ? 1 : count);
        for (auto& each : games) each = game();
        if (verb == "time") Judged::time(games[0], count);
        else if (verb == "size") Judged::size(games[0]);
        else if (verb == "together") Judged::play(games);
        else for (auto& each : games) Judged::play({each});
        send();
    }
}

} // namespace noughts

// Memory is counted and filled, so that uninitialised values are never 0 by luck.
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

#if WHOLE == 1
struct Judge { template <class M> auto operator()(M& moves) { return SOLUTION().tictactoe(moves); } };
#elif WHOLE == 2
struct Judge { template <class M> auto operator()(M& moves) { return SOLUTION(moves); } };
#endif

signed main() {
#if WHOLE
    return noughts::serve<noughts::Function<Judge>>();
#else
    return noughts::serve<noughts::Class<SOLUTION>>();
#endif
}
