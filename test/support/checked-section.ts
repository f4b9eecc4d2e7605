import { expect } from 'bun:test'
import type { Period, ReadContext } from 'renown'
import * as v from 'valibot'
import { type Block, block } from '../../plugins/reports/blocks/block'
import { createOnce } from '../../plugins/reports/data/once'
import type { ReportSection, SectionData } from '../../plugins/reports/templates/section'

const blocks = v.array(block)

/**
 * Collects the data of a section as a report does, and returns it as it is read from a stored report, with its blocks.
 * Checks that both fit their schemas, that each figure has a definition, and that unknown values give a reason.
 */
export async function collectedBy<Data extends SectionData>(
  section: ReportSection<Data>,
  reads: ReadContext,
  { location = 'loc_1', ...periods }: { location?: string; period: Period; previous: Period },
): Promise<{ readonly data: Data; readonly blocks: Block[] } | null> {
  const signal = new AbortController().signal
  const found = await section.collect(
    { reads, signal, now: () => reads.now(), once: createOnce() },
    { location: { id: location, name: 'Acme' }, timezone: reads.workspace.timezone, ...periods },
  )
  if (found === null) return null
  const checked = checkedSection(section, found)
  // What the schema does not name would be lost when the report is shown.
  expect(checked.data).toEqual(JSON.parse(JSON.stringify(found)))
  return checked
}

/** Checks frozen data of a section, and returns it with its blocks. */
export function checkedSection<Data extends SectionData>(section: ReportSection<Data>, found: unknown) {
  const frozen = JSON.parse(JSON.stringify(found))
  const data = v.parse(section.data, frozen)
  const made = v.parse(blocks, section.blocks(data)) as Block[]
  const headline = section.headline?.(data) ?? []
  v.parse(blocks, headline.length === 0 ? [] : [{ kind: 'figures', figures: headline }])
  expect(headline.length).toBeLessThanOrEqual(3)
  for (const { name, text } of section.definitions) expect(`${name}: ${text}`).toMatch(/^[A-Z].+: [A-Z].+\.$/)
  const known = section.definitions.map(({ id }) => id)
  for (const figure of [...headline, ...figuresIn(made)]) {
    expect(known).toContain(figure.definition)
    expect([figure.id, figure.value === null]).toEqual([figure.id, figure.unknown_because !== undefined])
  }
  return { data, blocks: made }
}

/** Returns the figures of blocks. */
export const figuresIn = (all: readonly Block[]) =>
  all.flatMap((one) => (one.kind === 'figures' ? one.figures : []))

/** Returns the figure with an id. */
export function figureIn(all: readonly Block[], id: string) {
  const found = figuresIn(all).find((figure) => figure.id === id)
  if (!found) throw new Error(`There is no figure ${id}.`)
  return found
}
