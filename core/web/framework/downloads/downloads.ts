import type { Log } from '../../../contracts/plugin'
import type { FileTable } from '../../../contracts/table-file'
import { minuteMs } from '../../../contracts/time'
import { csvParts } from '../../../kit/tables/csv'
import { xlsxParts, xlsxType } from '../../../kit/tables/xlsx'
import { currentWork, longWork, runWork, type Work } from '../../../work/scope'
import type { SignedIn } from '../route'
import { boundedTable } from './bounded-table'
import type { DownloadSlots } from './download-slots'

/** The endings of downloads: CSV and an Excel workbook. */
export const downloadEndings = ['csv', 'xlsx'] as const
/** An ending of a download. */
type Ending = (typeof downloadEndings)[number]

/** Writing a download ends after this time. */
const longestMs = 5 * minuteMs

interface Asked {
  /** Name of the file without its ending. */
  readonly name: string
  /** Name of the sheet. */
  readonly title: string
  readonly ending: Ending
  readonly table: FileTable
}

/** Answers with tables as files. */
export interface Downloads {
  /**
   * Answers with a file that is written while it is read. Throws a Refusal if too many downloads are open. If a read
   * fails later, the connection breaks, so that a part never looks like the whole.
   */
  answer(visit: Pick<SignedIn, 'request' | 'person'>, asked: Asked): Promise<Response>
}

interface DownloadDeps {
  readonly slots: DownloadSlots
  readonly log: Pick<Log, 'warn'>
  readonly rowsMax?: number
}

export function createDownloads({ slots, log, rowsMax }: DownloadDeps): Downloads {
  return {
    async answer({ request, person }, { name, title, ending, table }) {
      const leave = slots.enter({ person: person.id, agency: person.agency_id })
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(longestMs)])
      const work = longWork(currentWork().tenant, signal)
      const parts = partsOf(ending, title, boundedTable(table, rowsMax))
      const next = () => runWork(work, () => parts.next())
      // The first part is written before the answer begins, so that a refused filter is an answer of its own.
      const first = await next().catch((error) => {
        leave()
        throw error
      })
      const onFault = (error: unknown) =>
        log.warn('a download was not finished', { name, error: String(error) })
      const end = async () => {
        leave()
        await parts.return(undefined).catch(() => {})
      }
      const headers = {
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'content-type': ending === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
        'content-disposition': `attachment; filename="${name}.${ending}"`,
      }
      // Nobody reads or cancels the body of a HEAD request, or of a connection that ended before the answer.
      if (request.method === 'HEAD' || signal.aborted) {
        await end()
        return new Response(null, { headers })
      }
      signal.addEventListener('abort', end, { once: true })
      return new Response(bodyOf({ first, next, work, leave, end, onFault }), { headers })
    },
  }
}

type Parts = AsyncGenerator<string | Uint8Array>

function partsOf(ending: Ending, title: string, table: FileTable): Parts {
  if (ending === 'csv') return csvParts(table)
  return xlsxParts([{ ...table, name: title }, notesSheet(table)])
}

/** The sheet after the table. It is written last, when the number of rows is known. */
const notesSheet = (table: FileTable) => {
  const rows = (function* () {
    const notes = table.notes?.() ?? []
    for (const note of notes.length > 0 ? notes : ['All rows are in this file.']) yield [note]
  })()
  return { name: 'Notes', columns: [{ name: 'Notes', type: 'text' as const }], rows }
}

interface Body {
  readonly first: IteratorResult<string | Uint8Array, unknown>
  next(): Promise<IteratorResult<string | Uint8Array, unknown>>
  readonly work: Work
  leave(): void
  /** Releases the slot and ends the reads. */
  end(): Promise<void>
  onFault(error: unknown): void
}

function bodyOf({ first, next, work, leave, end, onFault }: Body): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting: typeof first | null = first
  return new ReadableStream<Uint8Array>({
    async pull(out) {
      try {
        work.signal?.throwIfAborted()
        const { value, done } = waiting ?? (await next())
        waiting = null
        if (done) {
          leave()
          out.close()
        } else out.enqueue(typeof value === 'string' ? encoder.encode(value) : (value as Uint8Array))
      } catch (error) {
        await end()
        if (!work.signal?.aborted) onFault(error)
        out.error(error)
      }
    },
    cancel: end,
  })
}
