/** A value in the address of a page that does not fit and is ignored. */
export interface IgnoredValue {
  readonly name: string
  /** The value, shortened. */
  readonly value: string
  /** A sentence with the accepted values. */
  readonly accepted: string
}
