package main

// Counts the bytes that an object reaches, each byte once, or returns -1 if part of it cannot be
// seen: what a function or an unsafe pointer refers to, or what waits in a channel.
//
// Blocks are the ranges that pointers, slices (with their capacity), strings and interfaces refer
// to; where they overlap, as slices of one array do, they count once. The buckets of a map cannot be
// seen: an entry is assumed to take twice the size of its key and value, and a byte. Variables of
// the package are not reached.

import ("reflect"; "sort"; "unsafe")

type noughtsHead struct { data unsafe.Pointer; length, capacity int } // of a slice; of a string without capacity
type noughtsBlock struct { of reflect.Type; at unsafe.Pointer; count int }
type noughtsWalk struct {
	seen   map[noughtsBlock]bool
	todo   []noughtsBlock
	ranges [][2]uintptr
	others int64 // bytes of maps and channels
	hidden bool
	parts  map[reflect.Type]bool
}

func noughtsBytes(root any) (total int64) {
	walk := noughtsWalk{seen: map[noughtsBlock]bool{}, parts: map[reflect.Type]bool{}}
	walk.look(reflect.TypeOf(&root).Elem(), unsafe.Pointer(&root))
	for len(walk.todo) > 0 {
		last := walk.todo[len(walk.todo)-1]
		walk.todo = walk.todo[:len(walk.todo)-1]
		for i := 0; i < last.count; i++ { walk.look(last.of, unsafe.Add(last.at, uintptr(i)*last.of.Size())) }
	}
	if walk.hidden { return -1 }
	sort.Slice(walk.ranges, func(i, j int) bool { return walk.ranges[i][0] < walk.ranges[j][0] })
	end := uintptr(0)
	for _, each := range walk.ranges {
		if each[0] > end { end = each[0] }
		if each[1] > end { total, end = total+int64(each[1]-end), each[1] }
	}
	return total + walk.others
}

// Counts some values of a type beginning at an address, which are looked into later.
func (walk *noughtsWalk) reach(of reflect.Type, at unsafe.Pointer, count int) {
	block := noughtsBlock{of, at, count}
	if at == nil || walk.seen[block] { return }
	walk.seen[block] = true
	walk.ranges = append(walk.ranges, [2]uintptr{uintptr(at), uintptr(at) + uintptr(count)*of.Size()})
	if walk.hasParts(of) { walk.todo = append(walk.todo, block) }
}

// Looks for what a value at an address refers to; the value itself is already counted.
func (walk *noughtsWalk) look(of reflect.Type, at unsafe.Pointer) {
	switch of.Kind() {
	case reflect.Ptr: walk.reach(of.Elem(), *(*unsafe.Pointer)(at), 1)
	case reflect.String: walk.reach(reflect.TypeOf(byte(0)), (*noughtsHead)(at).data, (*noughtsHead)(at).length)
	case reflect.Slice: walk.reach(of.Elem(), (*noughtsHead)(at).data, (*noughtsHead)(at).capacity)
	case reflect.Array:
		for i := 0; i < of.Len() && walk.hasParts(of); i++ { walk.look(of.Elem(), unsafe.Add(at, uintptr(i)*of.Elem().Size())) }
	case reflect.Struct:
		for i := 0; i < of.NumField() && walk.hasParts(of); i++ { walk.look(of.Field(i).Type, unsafe.Add(at, of.Field(i).Offset)) }
	case reflect.Interface:
		inside := reflect.NewAt(of, at).Elem().Elem()
		if !inside.IsValid() { return }
		if noughtsIsPointer(inside.Type()) { walk.copied(inside) } else { walk.reach(inside.Type(), (*[2]unsafe.Pointer)(at)[1], 1) }
	case reflect.Map, reflect.Chan:
		value, block := reflect.NewAt(of, at).Elem(), noughtsBlock{of, *(*unsafe.Pointer)(at), 0}
		if value.IsNil() || walk.seen[block] { return }
		walk.seen[block] = true
		if of.Kind() == reflect.Chan {
			walk.others += 96 + int64(value.Cap())*int64(of.Elem().Size())
			walk.hidden = walk.hidden || value.Len() > 0 && walk.hasParts(of.Elem())
			return
		}
		walk.others += 48 + int64(value.Len())*int64(2*(of.Key().Size()+of.Elem().Size())+1)
		if !walk.hasParts(of.Key()) && !walk.hasParts(of.Elem()) { return }
		for entries := value.MapRange(); entries.Next(); { walk.copied(entries.Key()); walk.copied(entries.Value()) }
	case reflect.Func, reflect.UnsafePointer: walk.hidden = walk.hidden || *(*unsafe.Pointer)(at) != nil
	}
}

// Looks into a copy of a value that has no address.
func (walk *noughtsWalk) copied(value reflect.Value) {
	place := reflect.New(value.Type())
	place.Elem().Set(value)
	walk.look(value.Type(), unsafe.Pointer(place.Pointer()))
}

// Returns whether values of a type may refer to others.
func (walk *noughtsWalk) hasParts(of reflect.Type) bool {
	found, known := walk.parts[of]
	if known { return found }
	switch of.Kind() {
	case reflect.Array: found = of.Len() > 0 && walk.hasParts(of.Elem())
	case reflect.Struct: for i := 0; i < of.NumField(); i++ { found = found || walk.hasParts(of.Field(i).Type) }
	default: found = of.Kind() > reflect.Complex128
	}
	walk.parts[of] = found
	return found
}

// Returns whether interfaces hold values of a type themselves, and not a pointer to them.
func noughtsIsPointer(of reflect.Type) bool {
	switch of.Kind() {
	case reflect.Ptr, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer: return true
	case reflect.Array: return of.Len() == 1 && noughtsIsPointer(of.Elem())
	case reflect.Struct: return of.NumField() == 1 && noughtsIsPointer(of.Field(0).Type)
	}
	return false
}
