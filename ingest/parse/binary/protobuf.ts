/** Thrown when bytes are not the message that they should be. */
export class BadMessage extends Error {}

/** A field of a message: its number, and either its number value or its bytes. */
export interface Field {
  readonly no: number
  /** Of a varint or a fixed number of 8 bytes. */
  readonly number: bigint
  /** Empty for numbers. */
  readonly bytes: Uint8Array
}

const none = new Uint8Array()
/** The numbers of one byte, which are most of all. */
const small = Array.from({ length: 128 }, (_, value) => BigInt(value))

/** How many fields may still be read. Shared by the parts of a message, so that tiny fields cannot take long. */
export interface FieldBudget {
  left: number
}

/** Yields the fields of a message within a budget. Throws BadMessage where the budget or the message ends early. */
export function* fieldsWithin(bytes: Uint8Array, budget: FieldBudget): Generator<Field> {
  for (const field of fieldsOf(bytes)) {
    if (--budget.left < 0) throw new BadMessage('a message has too many fields')
    yield field
  }
}

/** Yields the fields of a message of Protocol Buffers. Throws BadMessage where it is malformed. */
export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = (): bigint => {
    const short = small[bytes[at] ?? 128]
    if (short !== undefined) {
      at++
      return short
    }
    // Three plain numbers, because arithmetic with big ones takes ten times as long.
    let low = 0
    let middle = 0
    let high = 0
    for (let count = 0; count < 10; count++) {
      const byte = bytes[at++]
      if (byte === undefined) break
      const part = byte & 127
      if (count < 4) low += part * 2 ** (7 * count)
      else if (count < 8) middle += part * 2 ** (7 * (count - 4))
      else high += part * 2 ** (7 * (count - 8))
      if (byte < 128) return wholeOf(low, middle, high)
    }
    throw new BadMessage('a number does not end')
  }
  const part = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new BadMessage('a field is longer than its message')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const no = Math.floor(key / 8)
    const type = key % 8
    if (no === 0) throw new BadMessage('a field has no number')
    if (type === 0) yield { no, number: varint(), bytes: none }
    else if (type === 1) {
      part(8)
      yield { no, number: view.getBigUint64(at - 8, true), bytes: none }
    } else if (type === 2) yield { no, number: 0n, bytes: part(Number(varint())) }
    else if (type === 5) yield { no, number: 0n, bytes: part(4) }
    else throw new BadMessage('a field has an unknown type')
  }
}

/** Returns the number of 64 bits from parts of 28, 28 and 14 bits. */
function wholeOf(low: number, middle: number, high: number): bigint {
  if (high === 0 && middle < 2 ** 25) return BigInt(low + middle * 2 ** 28)
  return BigInt.asUintN(64, (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low))
}

/** Returns the text of a field. Invalid UTF-8 does not fail, because servers log the bytes that clients sent. */
export const textIn = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

/** Returns the bytes of a field with a length. */
export function lengthField(no: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varintField(no * 8 + 2), varintField(bytes.length), bytes])
}

/** Returns the bytes of a field with a number. */
export const numberField = (no: number, value: number): Uint8Array =>
  Buffer.concat([varintField(no * 8), varintField(value)])

function varintField(value: number): Uint8Array {
  const bytes: number[] = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Uint8Array.of(...bytes, left)
}
