// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The one function of Apple's C library that Sources uses and other systems lack. See Security.swift.

@discardableResult
public func memset_s(_ target: UnsafeMutableRawPointer?, _ size: Int, _ byte: Int32, _ count: Int) -> Int32 { 0 }
