import { defineRate, type GroupRow, type Row } from 'renown'
import { pageKey } from 'renown/sources'
import type { VisibilityRun } from '../records/VisibilityRun'

export const citedShare = defineRate(
  'visibility.cited_share@1',
  'Answers that cite this source, among all answers. Sources that were consulted and not cited do not count',
)

type Citing = Pick<Row<typeof VisibilityRun>, 'engine' | 'citations'>

/** The citations of one domain. */
export interface Source {
  readonly domain: string
  isOwn: boolean
  /** Answers that cite it. */
  citedIn: number
  citations: number
  /** Answers that consulted it without citing it. */
  consulted: number
  placed: number
  places: number
  readonly engines: Set<string>
  /** Citations of its pages, by address. */
  readonly pages: Map<string, number>
}

/** Counts the sources of answers, by domain. */
export function createSources() {
  const sources = new Map<string, Source>()
  // Answers cite the same pages again and again, and reading an address takes long.
  const keys = new Map<string, string>()
  const keyOf = (url: string) => {
    const key = keys.get(url) ?? pageKey(url)
    keys.set(url, key)
    return key
  }
  let answers = 0
  return {
    get answers() {
      return answers
    },
    /** Adds answers that are already summed, by domain and engine. */
    addSums(more: number, sums: readonly GroupRow[]) {
      answers += more
      for (const row of sums) {
        const source = sourceIn(sources, String(row.name))
        source.engines.add(String(row.engine))
        source.isOwn ||= Number(row.own) > 0
        source.citedIn += Number(row.cited)
        source.consulted += Number(row.consulted)
        source.citations += Number(row.citations)
        source.placed += Number(row.placed)
        source.places += Number(row.places)
      }
    },
    add({ engine, citations }: Citing) {
      answers++
      for (const [domain, mine] of Map.groupBy(citations, (citation) => citation.domain)) {
        const source = sourceIn(sources, domain)
        const cited = mine.filter((citation) => citation.cited)
        source.engines.add(engine)
        source.isOwn ||= mine.some((citation) => citation.is_own)
        if (cited.length > 0) source.citedIn++
        else source.consulted++
        source.citations += cited.length
        for (const { url, position } of cited) {
          if (url !== undefined) {
            const page = keyOf(url)
            source.pages.set(page, (source.pages.get(page) ?? 0) + 1)
          }
          if (position === undefined) continue
          source.placed++
          source.places += position
        }
      }
    },
    /** The sources, the most cited first, then the most consulted. */
    ranked: (): Source[] =>
      [...sources.values()].sort(
        (a, b) => b.citedIn - a.citedIn || b.consulted - a.consulted || (a.domain < b.domain ? -1 : 1),
      ),
  }
}

function sourceIn(sources: Map<string, Source>, domain: string): Source {
  const known = sources.get(domain)
  if (known) return known
  const counts = { citedIn: 0, citations: 0, consulted: 0, placed: 0, places: 0 }
  const made = { domain, isOwn: false, ...counts, engines: new Set<string>(), pages: new Map() }
  sources.set(domain, made)
  return made
}
