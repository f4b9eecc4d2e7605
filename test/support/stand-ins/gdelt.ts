import { crc32, deflateRawSync } from 'node:zlib'
import type { MentionStandIn, StandInPost } from './sources'

const stepMs = 15 * 60_000
const stampOf = (ms: number) => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
const xmlEscaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** GDELT's folder of files. Each `set` adds a file, 15 minutes after the last. */
export function createGdelt(): MentionStandIn & { readonly files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>()
  const held = { latest: Date.UTC(2026, 2, 15, 8) }
  return {
    files,
    errors: {
      'a closed folder': { status: 403, kind: 'permission', body: {} },
      'a missing list': { status: 404, kind: 'permanent', body: {} },
    },
    complaints: [],
    idOf: ({ id }) => `20260315080000-${id}`,
    set(posts: readonly StandInPost[]) {
      held.latest += stepMs
      files.set(stampOf(held.latest), zipped(posts.map(lineOf).join('\n')))
    },
    async fetch(request: Request) {
      const { pathname } = new URL(request.url)
      const stamp = stampOf(held.latest)
      if (pathname.endsWith('/lastupdate.txt')) {
        const line = (kind: string) =>
          `9 0cc175b9c0f1b6a831c399e269772661 http://data.gdeltproject.org/gdeltv2/${stamp}.${kind}`
        return new Response(
          `${line('export.CSV.zip')}\n${line('mentions.CSV.zip')}\n${line('gkg.csv.zip')}\n`,
        )
      }
      const file = files.get(/\/(\d{14})\.gkg\.csv\.zip$/.exec(pathname)?.[1] ?? '')
      return file ? new Response(file.slice()) : new Response('<Error/>', { status: 404 })
    },
  }
}

function lineOf({ id, text, author, at }: StandInPost): string {
  const cells = Array.from({ length: 27 }, () => '')
  const extras = `<PAGE_PRECISEPUBTIMESTAMP>${stampOf(at.getTime())}</PAGE_PRECISEPUBTIMESTAMP><PAGE_AUTHORS>${author}</PAGE_AUTHORS><PAGE_TITLE>${xmlEscaped(text)}</PAGE_TITLE>`
  const known = {
    0: `20260315080000-${id}`,
    1: '20260315080000',
    2: '1',
    3: 'news.example',
    23: 'Acme Plumbing,12;Leeds,40',
  }
  Object.assign(cells, known, { 4: `https://news.example/${id}`, 26: extras })
  return cells.join('\t')
}

/** A ZIP archive with one file. */
export function zipped(text: string): Uint8Array {
  const raw = Buffer.from(text)
  const data = deflateRawSync(raw)
  const name = Buffer.from('gkg.csv')
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(raw), 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(raw.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, name, data])
  const entry = Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length, 16)
  return new Uint8Array(Buffer.concat([local, entry, end]))
}
