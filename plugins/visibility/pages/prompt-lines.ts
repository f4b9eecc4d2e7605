import type { Row } from 'renown'
import { type DayShift, estimate } from 'renown/statistics'
import type { VisibilityPrompt } from '../records/VisibilityPrompt'
import type { TrackedCell } from '../sums/cells'
import type { Lost } from '../sums/lost-answers'
import type { Tracker } from '../sums/scope'
import type { PromptCell, PromptLine } from './visibility-data'

type Prompt = Row<typeof VisibilityPrompt>

/** What the lines of prompts are made from. */
export interface PromptSource {
  readonly prompts: readonly Prompt[]
  readonly trackers: readonly Tracker[]
  readonly engines: readonly string[]
  /** Cells of the period, of all prompts. */
  readonly cells: readonly TrackedCell[]
  /** How much the days of the period differ, over all prompts. */
  readonly shift: DayShift | null
  /** Prompts that do not name the brand. */
  readonly open: ReadonlySet<string>
  readonly lost: ReadonlyMap<string, Lost>
  readonly labelOf: (engine: string) => string
}

const worstMax = 2
const lostToMax = 3

/** Returns a line for each prompt: the lowest rates first, then prompts without answers, then those that name the brand. */
export function promptLines({ prompts, cells, ...source }: PromptSource): PromptLine[] {
  const byPrompt = Map.groupBy(cells, ({ prompt_id }) => prompt_id)
  const brands = new Map(source.trackers.map(({ id, brand_name }) => [id, brand_name]))
  return prompts
    .filter(({ id, status }) => status === 'active' || byPrompt.has(id))
    .map((prompt) => lineOf(prompt, byPrompt.get(prompt.id) ?? [], brands, source))
    .sort(
      (a, b) =>
        Number(a.is_branded) - Number(b.is_branded) ||
        (a.rate.rate ?? 2) - (b.rate.rate ?? 2) ||
        b.lost - a.lost ||
        (a.id < b.id ? -1 : 1),
    )
}

/** The prompts that lose the most answers to competitors. */
export const lossesOf = (lines: readonly PromptLine[], limit: number): PromptLine[] =>
  lines
    .filter(({ is_branded, lost }) => !is_branded && lost > 0)
    .toSorted((a, b) => b.lost - a.lost || (a.rate.rate ?? 0) - (b.rate.rate ?? 0))
    .slice(0, limit)

function lineOf(
  { id, text, language, tracker_id, status }: Prompt,
  own: readonly TrackedCell[],
  brands: ReadonlyMap<string, string>,
  { engines, open, lost, labelOf, shift }: Omit<PromptSource, 'prompts' | 'cells'>,
): PromptLine {
  const cells = engines.map((engine) => sumOf(own.filter((cell) => cell.engine === engine)))
  const found = lost.get(id)
  return {
    id,
    text,
    language,
    tracker_id,
    brand_name: brands.get(tracker_id) ?? '',
    cells,
    is_paused: status === 'paused',
    is_branded: !open.has(id),
    rate: estimate(own, shift),
    lost: found?.answers ?? 0,
    lost_to: found?.to.slice(0, lostToMax) ?? [],
    worst: worstOf(cells, engines.map(labelOf)),
  }
}

function sumOf(cells: readonly TrackedCell[]): PromptCell | null {
  if (cells.length === 0) return null
  return {
    k: cells.reduce((sum, { k }) => sum + k, 0),
    n: cells.reduce((sum, { n }) => sum + n, 0),
  }
}

/** The engines that name the brand least, such as “Gemini 0 of 5”. */
const worstOf = (cells: readonly (PromptCell | null)[], labels: readonly string[]): string[] =>
  cells
    .flatMap((cell, place) => (cell && cell.k < cell.n ? [{ ...cell, label: labels[place] ?? '' }] : []))
    .sort((a, b) => a.k / a.n - b.k / b.n || b.n - a.n)
    .slice(0, worstMax)
    .map(({ label, k, n }) => `${label} ${k} of ${n}`)
