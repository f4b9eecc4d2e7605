import { fstatSync, readSync } from 'node:fs'
import { batchBytesMax, type FilePosition, type Range } from './position'
import { closeFile, isSame, type OpenFile, printOf } from './siblings'

/** Cuts bytes after the last whole record. Returns their length, or 0 if there is none. */
export type Cut = (bytes: Buffer) => number

/** Cuts after the last line end. A line that a container runtime split stays whole, so that it can be read. */
export const afterLastLine: Cut = (bytes) => {
  for (let end = bytes.lastIndexOf(10) + 1; end > 0; ) {
    const start = end < 2 ? 0 : bytes.lastIndexOf(10, end - 2) + 1
    if (!isPart.test(bytes.toString('latin1', start, Math.min(end, start + partHead)))) return end
    end = start
  }
  return 0
}

/** A line of the Container Runtime Interface whose rest is in the next line: `<time> stdout P <text>`. */
const isPart = /^\d{4}-\d\d-\d\dT\S{8,24} std(?:out|err) P[ :]/
const partHead = 64

const buffer = Buffer.allocUnsafe(batchBytesMax)

/** A log that is read to its end, from where it was read before. */
export class Tail {
  readonly file: OpenFile
  #position: FilePosition
  readonly #cut: Cut

  constructor(file: OpenFile, position: FilePosition, cut: Cut) {
    this.file = file
    this.#position = position
    this.#cut = cut
  }

  get position(): FilePosition {
    return this.#position
  }

  /** Whether the content is what it was. Another content has another id and is read from its beginning. */
  isSame(): boolean {
    return isSame(this.file.handle, this.#position)
  }

  /** Whether everything was read. */
  isAtEnd(): boolean {
    return this.#size() <= this.#position.offset
  }

  #size(): number {
    return fstatSync(this.file.handle).size
  }

  /** When the content last changed, in milliseconds. */
  changedAt(): number {
    return fstatSync(this.file.handle).mtimeMs
  }

  /**
   * Reads the next whole lines. A part that nobody knows the fate of is read again as it was. `last` also returns a last
   * line without an end. Null if there is nothing.
   */
  read({ last = false }: { readonly last?: boolean } = {}): (Range & { readonly bytes: Buffer }) | null {
    const { offset, pending } = this.#position
    const wanted = pending === undefined ? batchBytesMax : pending - offset
    const length = readSync(this.file.handle, buffer, 0, wanted, offset)
    const bytes = buffer.subarray(0, length)
    if (pending !== undefined) return { start: offset, end: pending, bytes }
    const whole = this.#cut(bytes)
    if (whole > 0) return { start: offset, end: offset + whole, bytes: bytes.subarray(0, whole) }
    if (length === batchBytesMax) return { start: offset, end: offset + length, bytes }
    return last && length > 0 ? { start: offset, end: offset + length, bytes } : null
  }

  /** Notes that the bytes up to `end` are being sent. */
  begin(end: number): void {
    const print = printOf(this.file.handle, end)
    this.#position = { ...this.#position, print, seen: this.#size(), pending: end }
  }

  /** Notes that the bytes up to `end` were accepted. */
  accept(end: number): void {
    this.#position = { ...this.#position, offset: end, seen: this.#size(), pending: undefined }
  }

  close(): void {
    closeFile(this.file)
  }
}
