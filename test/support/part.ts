/** A value of which only a part is given, in whatever depth. Functions are whole: what they return is not a part. */
type Part<T> = T extends (...values: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T

/**
 * Hands a test's part of a value to code that wants all of it, such as a context of which only `log` is used. The compiler still checks
 * each name and each value that is there, so that a renamed field shows. The type comes from where the value goes.
 */
export const part = <T>(value: Part<NoInfer<T>>): T => value as T
