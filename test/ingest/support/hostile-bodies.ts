import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** A body that costs its reader as much as it can, of about so many bytes. */
export interface HostileBody {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Makes the body for a limit of bytes. */
  make(bytes: number): Uint8Array
}

const mebibyte = 2 ** 20
const text = (name: string, make: (bytes: number) => string): HostileBody => ({
  name,
  headers: { 'content-type': 'application/json' },
  make: (bytes) => Buffer.from(make(bytes)),
})
const filled = (bytes: number, unit: string, start = '', end = '') =>
  start + unit.repeat(Math.floor((bytes - start.length - end.length) / Buffer.byteLength(unit))) + end
const binary = (name: string, make: (bytes: number) => Uint8Array, more: Record<string, string> = {}) => ({
  name,
  headers: { 'content-type': 'application/x-protobuf', ...more },
  make,
})
const raw = (bytes: number, unit: readonly number[]) => {
  const out = Buffer.alloc(Math.floor(bytes / unit.length) * unit.length)
  return out.fill(Buffer.from(unit))
}
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
const field = (no: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([...varint(no * 8 + 2), ...varint(bytes.length)]), bytes])
const nested = (levels: readonly number[], bytes: Uint8Array) =>
  levels.reduceRight((inner: Uint8Array, no) => field(no, inner), bytes)
const packed = (
  name: string,
  encoding: string,
  pack: (bytes: Buffer) => Uint8Array,
  make: (bytes: number) => Buffer,
): HostileBody => ({
  name,
  headers: { 'content-type': 'application/json', 'content-encoding': encoding },
  make: (bytes) => pack(make(bytes)),
})
const line = (path: string) =>
  `1.2.3.4 - - [20/Nov/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" 200 1 "-" "GPTBot/1.2"\n`
const record = (more: string) => `{"ua":"GPTBot/1.2","path":"/","ts":1790000000,"ip":"1.2.3.4"${more}}\n`
const zstdFrame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00])
const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])
const ofFrames = (frame: Buffer, bytes: number) =>
  Buffer.alloc(Math.floor(bytes / frame.length) * frame.length).fill(frame)
/** The block of Snappy whose elements are of one byte each. */
const snappyLiterals = (bytes: number) => {
  const count = Math.floor((bytes - 5) / 2)
  return Buffer.concat([Buffer.from(varint(count)), raw(count * 2, [0, 0x41])])
}
const snappyCopies = (bytes: number) => {
  const count = Math.floor(bytes / 3)
  return Buffer.concat([Buffer.from([...varint(1 + count), 0, 0x41]), raw(count * 3, [2, 1, 0])])
}

/** Bodies of text, for every path. */
export const textBodies: readonly HostileBody[] = [
  text('one line of combining marks', (bytes) => filled(bytes, '\u0301', 'a')),
  text('combining marks in short lines', (bytes) => filled(bytes, `${'\u0301'.repeat(40)}\n`)),
  text('paths of dots', (bytes) => filled(bytes, line('/%C3%A9/..'.repeat(25)))),
  text('paths of escapes', (bytes) => filled(bytes, line(`/${'%c3%a9'.repeat(80)}`))),
  text('paths of astral characters', (bytes) => filled(bytes, line(`/${'😀'.repeat(80)}`))),
  text('paths of short segments', (bytes) => filled(bytes, record(`,"path":"${'/./..'.repeat(1_600)}"`))),
  text('no paths, one byte a line', (bytes) => filled(bytes, 'x\n')),
  text('blank lines', (bytes) => filled(bytes, ' \n')),
  text('one blank line', (bytes) => filled(bytes, ' ')),
  text('one long word', (bytes) => filled(bytes, 'x')),
  text('backslashes', (bytes) => filled(bytes, '\\', '{"ua":"')),
  text('quotes after backslashes', (bytes) => filled(bytes, '\\"', '{"ua":"', '"}')),
  text('brackets', (bytes) => filled(bytes, '[')),
  text('braces', (bytes) => filled(bytes, '{"a":')),
  text('closed braces in one line', (bytes) => filled(bytes, '{}')),
  text('commas in an array', (bytes) => filled(bytes, '1,', '[', '1]')),
  text('objects in an array', (bytes) => filled(bytes, '{},', '[', '{}]')),
  text('spaces in an array', (bytes) => filled(bytes, ' ', '[', ']')),
  text('many names', (bytes) => `{${namesOf(Math.floor(bytes / 14))}}`),
  text('one name again and again', (bytes) => filled(bytes, '"ua":"x",', '{', '"ua":"x"}')),
  text('one long value', (bytes) => filled(bytes, 'x', '{"ua":"', '"}')),
  text('escapes in one value', (bytes) => filled(bytes, '\\u0301', '{"ua":"', '"}')),
  text('an object over lines', (bytes) => filled(bytes, '"ua":"x",\n', '{\n', '"ua":"x"}')),
  text('records of 8 MiB', (bytes) => filled(bytes, record(`,"x":"${'x'.repeat(7 * mebibyte)}"`))),
  text('records of many values', (bytes) => filled(bytes, record(`,"x":[${'1,'.repeat(19_000)}1]`))),
  text('concatenated objects', (bytes) => filled(bytes, record('').trim())),
  text('invalid UTF-8', (bytes) => filled(bytes, 'x')),
  text('texts in texts', (bytes) => filled(bytes, `{"log":${JSON.stringify(line('/').repeat(9_000))}}\n`)),
  text('one text of lines', (bytes) => `{"log":${JSON.stringify(line('/').repeat(bytes / 100))}}`),
  text('an envelope of CloudWatch', (bytes) =>
    filled(bytes, '{"message":"x"},', '{"messageType":"DATA_MESSAGE","logEvents":[', '{}]}'),
  ),
  text('an envelope of OTLP', (bytes) =>
    filled(
      bytes,
      '{"body":{"stringValue":"x"}},',
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[',
      '{}]}]}]}',
    ),
  ),
  text('an envelope of Loki', (bytes) =>
    filled(bytes, '["1","x"],', '{"streams":[{"stream":{},"values":[', '["1","x"]]}]}'),
  ),
  text('a delivery of Firehose', (bytes) =>
    filled(bytes, '{"data":"eA=="},', '{"requestId":"r","timestamp":1,"records":[', '{"data":"eA=="}]}'),
  ),
  text('a delivery of one record', (bytes) =>
    filled(bytes, 'eHh4', '{"requestId":"r","timestamp":1,"records":[{"data":"', '"}]}'),
  ),
  text('a delivery of packed records', (bytes) =>
    filled(
      bytes,
      `{"data":"${gzipSync(Buffer.alloc(7 * mebibyte)).toString('base64')}"},`,
      '{"requestId":"r","timestamp":1,"records":[',
      '{"data":"eA=="}]}',
    ),
  ),
  text('user agents of words', (bytes) => filled(bytes, record(`,"ua":"${'bot/1 (x) '.repeat(700)}"`))),
  text('an id for each line', (bytes) => idsOf(Math.floor(bytes / 90))),
  text('addresses of colons', (bytes) => filled(bytes, record(`,"ip":"${'::'.repeat(2_000)}"`))),
  text('lists of addresses', (bytes) => filled(bytes, record(`,"ip":"${'1.2.3.4, '.repeat(500)}"`))),
  text('parts of container lines', (bytes) =>
    filled(bytes, `2026-11-20T12:00:00.0Z stdout P ${'x'.repeat(60)}\n`),
  ),
  text('columns', (bytes) => filled(bytes, `${'x '.repeat(8_000)}\n`, '#Fields: c-ip cs-method\n')),
  text('comma separated columns', (bytes) =>
    filled(bytes, `${'x,'.repeat(8_000)}\n`, `${'x,'.repeat(8_000)}\n`),
  ),
  text('signatures', (bytes) =>
    filled(
      bytes,
      record(
        `,"signature":"sig=:${'A'.repeat(2_000)}:","signature_input":"sig=(${'\\"a\\" '.repeat(500)})","signature_agent":"\\"https://x.example\\""`,
      ),
    ),
  ),
  text('as many hits as a batch may have', (bytes) => idsOf(Math.min(99_000, Math.floor(bytes / 90)), true)),
  text('as many hits without an id', (bytes) =>
    filled(Math.min(bytes, 9 * mebibyte), record('').replace('1790000000', String(recent))),
  ),
  text('backslashes before a quote', (bytes) => filled(bytes, '\\', '{"ua":"', '"}')),
  text('a delivery of hits', (bytes) => deliveryOf(bytes, record('').replace('1790000000', String(recent)))),
  text('a delivery of hits with ids', (bytes) => deliveryOf(bytes, '')),
  text('other characters of 16 bits', (bytes) => filled(bytes, `${line('/')}\u0100`)),
]

function namesOf(count: number): string {
  return Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')
}

const recent = Math.floor(Date.now() / 1_000)

function idsOf(count: number, isRecent = false): string {
  const lines = Array.from({ length: count }, (_, n) => record(`,"id":"id-${n}-abcdefgh"`).trimEnd())
  return (isRecent ? lines.map((line) => line.replace('1790000000', String(recent))) : lines).join('\n')
}

/** A delivery of Firehose with this line again and again, or with lines of an id each. */
function deliveryOf(bytes: number, line: string): string {
  const lines = line === '' ? `${idsOf(1_000, true)}\n` : line.repeat(1_000)
  const data = `{"data":"${Buffer.from(lines).toString('base64')}"},`
  return filled(bytes, data, '{"requestId":"r","timestamp":1,"records":[', '{"data":"eA=="}]}')
}

/** Bodies in other encodings, for every path. */
export const packedBodies: readonly HostileBody[] = [
  packed(
    'gzip of zeros',
    'gzip',
    (bytes) => gzipSync(bytes),
    (bytes) => Buffer.alloc(bytes),
  ),
  packed(
    'gzip of newlines',
    'gzip',
    (bytes) => gzipSync(bytes),
    (bytes) => Buffer.alloc(bytes, '\n'),
  ),
  packed(
    'gzip of combining marks',
    'gzip',
    (bytes) => gzipSync(bytes),
    (bytes) => Buffer.from(filled(bytes, '\u0301')),
  ),
  packed(
    'gzip of half characters',
    'gzip',
    (bytes) => gzipSync(bytes),
    (bytes) => Buffer.alloc(bytes, 0xe9),
  ),
  packed(
    'gzip of lines',
    'gzip',
    (bytes) => gzipSync(bytes),
    (bytes) => Buffer.from(filled(bytes, line('/'))),
  ),
  packed(
    'gzip in many members',
    'gzip',
    (bytes) => bytes,
    (bytes) => ofFrames(gzipSync(Buffer.from('x\n')), bytes / 4),
  ),
  packed(
    'gzip with a torn end',
    'gzip',
    (bytes) => gzipSync(bytes).subarray(0, -9),
    (bytes) => Buffer.alloc(bytes),
  ),
  packed(
    'deflate of zeros',
    'deflate',
    (bytes) => deflateSync(bytes),
    (bytes) => Buffer.alloc(bytes),
  ),
  packed(
    'bare deflate of zeros',
    'deflate',
    (bytes) => deflateRawSync(bytes),
    (bytes) => Buffer.alloc(bytes),
  ),
  packed(
    'zstd of zeros',
    'zstd',
    (bytes) => zstdCompressSync(bytes),
    (bytes) => Buffer.alloc(bytes),
  ),
  packed(
    'zstd in empty frames',
    'zstd',
    (bytes) => bytes,
    (bytes) => ofFrames(zstdFrame, bytes / 4),
  ),
  packed(
    'zstd in skipped frames',
    'zstd',
    (bytes) => bytes,
    (bytes) => ofFrames(skippable, bytes / 4),
  ),
  packed(
    'zstd in frames of empty blocks',
    'zstd',
    (bytes) => bytes,
    (bytes) =>
      Buffer.concat([
        Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]),
        raw(bytes / 4, [0, 0, 0]),
        Buffer.from([1, 0, 0]),
      ]),
  ),
]

/** Bodies of Protocol Buffers, for the paths that accept them. */
export const binaryBodies: readonly HostileBody[] = [
  binary('numbers of ten bytes', (bytes) => raw(bytes, [8, ...Array(9).fill(0xff), 1])),
  binary('small numbers', (bytes) => raw(bytes, [8, 1])),
  binary('empty fields', (bytes) => raw(bytes, [10, 0])),
  binary('long keys', (bytes) => raw(bytes, [0x88, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1])),
  binary('groups', (bytes) => raw(bytes, [11])),
  binary('fixed numbers', (bytes) => raw(bytes, [9, 1, 1, 1, 1, 1, 1, 1, 1])),
  binary('one long field', (bytes) => field(1, Buffer.alloc(bytes - 10))),
  ...[[1], [1, 2], [1, 2, 2]].flatMap((levels) => [
    binary(`numbers of ten bytes below ${levels}`, (bytes) =>
      nested(levels, raw(bytes - 60, [8, ...Array(9).fill(0xff), 1])),
    ),
    binary(`empty fields below ${levels}`, (bytes) => nested(levels, raw(bytes - 60, [18, 0]))),
  ]),
  binary('records of many fields', (bytes) =>
    nested([1, 2], ofFrames(field(2, raw(19_000 * 2, [8, 1])), bytes - 60) as Uint8Array),
  ),
  binary('records of one long text', (bytes) =>
    nested([1, 2], field(2, field(5, field(1, Buffer.from(filled(bytes - 90, '\u0301')))))),
  ),
  binary('records of invalid text', (bytes) =>
    nested([1, 2], field(2, field(5, field(1, Buffer.alloc(bytes - 90, 0xe9))))),
  ),
  binary('records of many names', (bytes) =>
    nested(
      [1, 2],
      ofFrames(
        field(
          2,
          Buffer.concat(Array.from({ length: 3_900 }, (_, n) => field(6, field(1, Buffer.from(`k${n}`))))),
        ),
        bytes - 60,
      ) as Uint8Array,
    ),
  ),
  binary('values in values', (bytes) =>
    nested(
      [1, 2],
      ofFrames(
        field(2, nested([5, ...Array(15).fill([5, 1]).flat()], field(1, Buffer.from('x')))),
        bytes - 60,
      ) as Uint8Array,
    ),
  ),
  binary('gzip of small numbers', (bytes) => gzipSync(raw(bytes, [8, 1])), { 'content-encoding': 'gzip' }),
]

/** Blocks of Snappy, for Loki. */
export const snappyBodies: readonly HostileBody[] = [
  binary('literals of one byte', snappyLiterals),
  binary('copies of one byte', snappyCopies),
  binary('a block that states more', (bytes) =>
    Buffer.concat([Buffer.from(varint(16 * mebibyte)), raw(bytes, [2, 1, 0])]),
  ),
]

/** So many ordinary records, as a forwarder sends them. */
export const ordinaryLines = (count: number): string =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      ts: Date.now() / 1_000,
      ip: '20.42.10.176',
      method: 'GET',
      path: `/blog/an-article-${n % 50}`,
      status: 200,
      ua: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    }),
  ).join('\n')
