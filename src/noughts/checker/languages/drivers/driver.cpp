// Plays the solution above; noughts.checker.isolated describes the protocol.
#include <cxxabi.h>
namespace noughts {
std::ostringstream out;

template <class T> void write(const T &value) {
    if constexpr (std::is_same_v<T, bool>) out << (value ? "true" : "false");
    else if constexpr (std::is_same_v<T, char>) out << "'" << std::string(value != 0, value) << "'";
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) out << static_cast<long long>(value);
    else if constexpr (std::is_floating_point_v<T>) out << "double " << value;
    else if constexpr (std::is_convertible_v<T, std::string>) out << "'" << std::string(value) << "'";
    else out << "a value of another type";
}
template <class T> void write(const std::optional<T> &value) {
    if (value) write(*value); else out << "null";
}

using Object = $object;
struct Place {
    std::shared_ptr<Object> object;
    std::exception_ptr error;
};

std::shared_ptr<Object> create([[maybe_unused]] int n) {
    return $make;
}
Place place(int n) try {
    return {create(n), nullptr};
} catch (...) {
    return {nullptr, std::current_exception()};
}

template <bool writes> void move(Object &game, int n, int row, int col, int player, const std::vector<int> &marks) {
    [[maybe_unused]] std::vector<std::vector<int>> cells;
    if ($whole) for (std::size_t at = 1; at < marks.size(); at += 3) cells.push_back({marks[at], marks[at + 1]});
    $act
    if constexpr (writes) write($answer); else static_cast<void>($answer);
}
void attempt(const Place &at, int n, int row, int col, int player, const std::vector<int> &marks) try {
    if (at.error) std::rethrow_exception(at.error);
    move<true>(*at.object, n, row, col, player, marks);
} catch (const std::bad_alloc &) {
    throw;
} catch (const std::exception &error) {
    out << "!" << abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, nullptr) << ": " << error.what();
} catch (...) {
    out << "!an exception";
}

double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

void serve(char verb, const std::vector<int> &game) {
    static Place places[64];
    std::vector<int>::size_type at = 1;
    if (verb == 'o') places[game[0]] = place(game[1]);
    else if (verb == 'm') attempt(places[game[0]], game[1], game[2], game[3], game[4], game);
    else if (verb == 'p') {
        const Place one = place(game[0]);
        if ($whole) attempt(one, game[0], 0, 0, 0, game);
        else for (; at < game.size(); at += 3, out << (at < game.size() ? "\t" : ""))
            attempt(one, game[0], game[at], game[at + 1], game[at + 2], game);
    } else {
        const long long before = noughts_live_bytes();
        const double start = now();
        const auto object = create(game[0]);
        const double ready = now();
        for (; at < game.size(); at += 3) move<false>(*object, game[0], game[at], game[at + 1], game[at + 2], game);
        const double end = now();
        if (verb == 't') out << ready - start << " " << end - ready; else out << noughts_live_bytes() - before;
    }
    if (verb != 'o') out << "\n";
}
}
int main() { noughts::serve_all(noughts::serve, noughts::out); }
