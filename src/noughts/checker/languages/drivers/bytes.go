package main

// Counts the bytes of everything that an object reaches, each part once.

import "reflect"

const noughtsEntry = 2 // a map of n entries takes about this many times their size

func noughtsBytes(pointer any) uint64 {
	seen := map[uintptr]bool{}
	found := reflect.ValueOf(pointer).Elem()
	return uint64(found.Type().Size()) + noughtsReached(found, seen)
}

// Returns the bytes outside the value itself.
func noughtsReached(value reflect.Value, seen map[uintptr]bool) (total uint64) {
	switch value.Kind() {
	case reflect.Ptr:
		if value.IsNil() || seen[value.Pointer()] {
			return 0
		}
		seen[value.Pointer()] = true
		return uint64(value.Elem().Type().Size()) + noughtsReached(value.Elem(), seen)
	case reflect.Interface:
		if value.IsNil() {
			return 0
		}
		return uint64(value.Elem().Type().Size()) + noughtsReached(value.Elem(), seen)
	case reflect.String:
		return uint64(value.Len())
	case reflect.Slice:
		if value.IsNil() || value.Cap() == 0 || seen[value.Pointer()] {
			return 0
		}
		seen[value.Pointer()] = true
		total = uint64(value.Cap()) * uint64(value.Type().Elem().Size())
		if noughtsHasParts(value.Type().Elem()) {
			for i := 0; i < value.Len(); i++ {
				total += noughtsReached(value.Index(i), seen)
			}
		}
	case reflect.Array:
		if noughtsHasParts(value.Type().Elem()) {
			for i := 0; i < value.Len(); i++ {
				total += noughtsReached(value.Index(i), seen)
			}
		}
	case reflect.Struct:
		for i := 0; i < value.NumField(); i++ {
			total += noughtsReached(value.Field(i), seen)
		}
	case reflect.Map:
		if value.IsNil() || seen[value.Pointer()] {
			return 0
		}
		seen[value.Pointer()] = true
		each := uint64(value.Type().Key().Size() + value.Type().Elem().Size())
		total = 48 + noughtsEntry*each*uint64(value.Len())
		for entries := value.MapRange(); entries.Next(); {
			total += noughtsReached(entries.Key(), seen) + noughtsReached(entries.Value(), seen)
		}
	}
	return total
}

// Returns whether values of a type may hold anything outside themselves.
func noughtsHasParts(of reflect.Type) bool {
	return of.Kind() > reflect.Complex128 || of.Kind() == reflect.Invalid
}
