/* What happens in the games of a `VectorGame`, apart from finding lines: which actions are legal, where
marks land, how games end and begin again, and random numbers.

It stands once for all devices: `_vector.pyx` includes this file, and noughts.learning.kernels compiles
it for GPUs together with kernels.cu. Row i of every array belongs to game i. */

#ifdef __CUDACC__
#define EACH static __device__ __forceinline__
#else
#include <string.h>
#define EACH static inline
#endif

enum { SAME_STEP, NEXT_STEP, DISABLED }; /* the order of `AUTORESET` in noughts.learning.vector */

typedef struct {
    long long actions, cells; /* of a game */
    long long floor;          /* the first cell of the last row */
    long long players;
    long long gravity;
    long long autoreset;
    unsigned char *legal; /* [game, action] */
    signed char *turn;
    signed char *winner;
    unsigned char *done;
    unsigned char *illegal; /* whether the last step refused the action */
    int *ply;
    unsigned long long *random; /* the state of random numbers */
    unsigned int *heights;      /* [game, action]: of each column, with gravity */
    unsigned short *order;      /* [game, action]: see `draw` */
    unsigned int *left;         /* the number of candidates */
} Games;

/* Return a random number below `count`, which must be below 2^31.

It is the upper half of SplitMix64 (Steele, Lea, Flood 2014), which does not need the last shift. */
EACH long long below(unsigned long long *state, unsigned long long count)
{
    unsigned long long mixed = *state += 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL;
    return (long long)((mixed >> 32) * count >> 32);
}

/* Return a random legal action of a game that has one: all equally likely, in constant time.

The candidates are the actions that are not known to be closed; they come first in an order of all
actions. A drawn action becomes the last candidate, so that the step that plays it only lowers their
number. Other actions remain candidates after they are played, until `draw` comes across them.

With `planes`, the marks of two players, an illegal action on an empty cell is a foul and may become
legal later. */
EACH long long draw(const Games *games, long long game, const signed char *planes)
{
    const unsigned char *legal = games->legal + game * games->actions;
    unsigned short *order = games->order + game * games->actions;
    unsigned long long *random = games->random + game;
    unsigned int left = games->left[game];
    long long at = below(random, left);
    unsigned short action = order[at];
    while (!legal[action]) {
        if (!planes || planes[action] || planes[games->cells + action]) {
            order[at] = order[--left];
            order[left] = action;
            games->left[game] = left;
        }
        at = below(random, left);
        action = order[at];
    }
    order[at] = order[left - 1];
    order[left - 1] = action;
    return action;
}

/* Forget the results of earlier games, and sort the actions: draws do not depend on those games. */
EACH void renew(const Games *games, long long game)
{
    const long long actions = games->actions; /* fields are read once, not for each action */
    unsigned short *order = games->order + game * actions;
    long long action;
    games->done[game] = games->winner[game] = 0;
    for (action = 0; action < actions; action++)
        order[action] = (unsigned short)action;
}

/* Start a game; the caller clears the marks. */
EACH void begin(const Games *games, long long game)
{
    const long long actions = games->actions;
    games->ply[game] = 0;
    games->turn[game] = 1;
    games->left[game] = (unsigned int)actions;
    memset(games->legal + game * actions, 1, actions);
    if (games->gravity)
        memset(games->heights + game * actions, 0, actions * sizeof(int));
}

/* Forget the results of the last step of these games. */
EACH void forget(const Games *games, long long first, long long last)
{
    memset(games->illegal + first, 0, last - first);
    if (games->autoreset == SAME_STEP) {
        memset(games->done + first, 0, last - first);
        memset(games->winner + first, 0, last - first);
    }
}

/* Return whether a finished game begins again in this step; the caller begins it. */
EACH int resumes(const Games *games, long long game)
{
    if (games->autoreset == NEXT_STEP)
        games->done[game] = games->winner[game] = 0;
    return games->autoreset == NEXT_STEP;
}

/* Return the cell on which the mark of an action lands, in a game that is not over, and close the action
unless more marks fit; or return -1, with no change, if the action is illegal. */
EACH long long land(const Games *games, long long game, long long action)
{
    long long cell = action, first = game * games->actions;
    unsigned int last;
    if (action < 0 || action >= games->actions || !games->legal[first + action]) {
        games->illegal[game] = 1;
        return -1;
    }
    if (games->gravity)
        cell = games->floor + action - games->heights[first + action]++ * games->actions;
    games->legal[first + action] = cell != action; /* the top of a column is its action */
    last = games->left[game] - 1;
    games->left[game] = last + ((games->order[first + last] != action) | (cell != action));
    return cell;
}

/* Pass the turn after a player's move; return whether the game is over. `ends`: the mark ends it. */
EACH int settle(const Games *games, long long game, int player, int ends)
{
    int ply = ++games->ply[game];
    games->turn[game] = (signed char)(player * (player < games->players) + 1);
    return games->done[game] = ends | (ply == games->cells);
}

/* Close a game that is over, with the winner or 0; return whether it begins again at once. */
EACH int conclude(const Games *games, long long game, int winner)
{
    if (winner)
        games->winner[game] = (signed char)winner;
    if (games->autoreset != SAME_STEP)
        memset(games->legal + game * games->actions, 0, games->actions);
    return games->autoreset == SAME_STEP;
}

/* Adapt a copy of a game whose `autoreset` was `theirs`; return whether it begins again. */
EACH int adapt(const Games *games, long long game, long long theirs)
{
    if (theirs != SAME_STEP)
        return games->autoreset == SAME_STEP && games->done[game];
    if (games->autoreset != SAME_STEP)
        games->done[game] = games->winner[game] = 0;
    return 0;
}
