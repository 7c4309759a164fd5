#include <bits/stdc++.h>
using namespace std;

struct Node { int value; unique_ptr<Node> next; };
struct alignas(128) Wide { int cells[32]; };
template <class T> shared_ptr<void> kept(T value) { return make_shared<T>(move(value)); }

static shared_ptr<void> build(const string &kind, int n) {
    if (kind == "ints") return kept(vector<int>(n));
    if (kind == "grid") return kept(vector<vector<int>>(n, vector<int>(n)));
    if (kind == "raw") return shared_ptr<int[]>(new int[n]);
    if (kind == "nothrow") return shared_ptr<int[]>(new (nothrow) int[n]);
    if (kind == "wide") return shared_ptr<Wide[]>(new Wide[n]);
    if (kind == "twice") {
        auto one = make_shared<vector<int>>(n);
        return kept(make_pair(one, one));
    }
    if (kind == "list") return kept(list<int>(n));
    if (kind == "map") {
        unordered_map<int, int> found;
        for (int i = 0; i < n; i++) found[i] = i;
        return kept(move(found));
    }
    if (kind == "set") {
        set<int> found;
        for (int i = 0; i < n; i++) found.insert(i);
        return kept(move(found));
    }
    if (kind == "bits") return kept(vector<bool>(8 * n));
    if (kind == "text") return kept(string(8 * n, 'x'));
    if (kind == "freed") {
        delete new Wide, delete[] new Wide[n], delete new int, free(calloc(n, 4));
        vector<string>(n, string(n, 'x'));
        return nullptr;
    }
    abort();
}

int main(int count, char **kinds) {
    for (int n = 8; n <= 512; n *= 8)
        for (int i = 1; i < count; i++) {
            const string kind = kinds[i];
            const long long before = noughts_live_bytes();
            const auto kept = build(kind, n);
            const long long after = noughts_live_bytes();
            cout << kind << " " << n << " " << after - before << "\n";
        }
}
