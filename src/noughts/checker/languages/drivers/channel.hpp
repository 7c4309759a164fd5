// Reads the requests to a driver, and sends what it has written after each empty line.
namespace noughts {
inline void serve_all(void (*serve)(char, const std::vector<int> &), std::ostringstream &out) {
    std::FILE *in = fdopen(3, "r"), *channel = fdopen(4, "w");
    char *line = nullptr;
    std::size_t room = 0;
    std::fputs("[]\n", channel);
    std::fflush(channel);
    for (ssize_t length; (length = getline(&line, &room, in)) > 0;) {
        std::vector<int> game;
        for (char *at = std::strtok(line + 1, " \n"); at; at = std::strtok(nullptr, " \n")) game.push_back(std::atoi(at));
        if (!game.empty()) {
            serve(line[0], game);
            continue;
        }
        std::cout.flush();
        std::fflush(stdout);
        std::fputs(out.str().c_str(), channel);
        std::fflush(channel);
        out.str("");
    }
}
}
