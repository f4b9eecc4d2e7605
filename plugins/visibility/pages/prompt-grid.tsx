/** @jsxImportSource renown/web */
import { Card, formatNumber } from 'renown/web'
import { intervalWords, percent } from './rate-words'
import type { PromptCell, PromptLine, VisibilityData } from './visibility-data'
import { searchOf } from './visibility-filters'

type Props = { readonly data: VisibilityData }

const lostWords = (line: PromptLine) =>
  line.lost_to.map(({ name, answers }) => `${name} ${formatNumber(answers)}`).join(', ')

/** The prompts that lose the most answers to competitors: to whom, and where. */
export function Losses({ data }: Props) {
  const { losses, looked_at } = data
  return (
    <Card
      title="Where you lose"
      about={`Prompts with the most answers that name a competitor and not you.${sampleWords(looked_at)}`}
    >
      {losses.length === 0 ? (
        <p>No answer of this period names a competitor without naming you.</p>
      ) : (
        <ol class="losses">
          {losses.map((line) => (
            <li key={line.id}>
              <a href={answersHref(data, line, null, 'no')}>
                <bdi lang={line.language}>{line.text}</bdi>
              </a>
              <span>
                {`Named in ${formatNumber(line.rate.k)} of ${formatNumber(line.rate.n)} answers. `}
                {'Named instead: '}
                <bdi>{lostWords(line)}</bdi>
                {line.worst.length > 0 && `. Weakest at ${line.worst.join(' and ')}`}.
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

/** Says that not all answers were looked at. */
export const sampleWords = ({ answers, of }: VisibilityData['looked_at']): string =>
  answers < of ? ` Counted over the newest ${formatNumber(answers)} of ${formatNumber(of)} answers.` : ''

/** Prompts × assistants as a table. Each cell leads to its answers. */
export function PromptGrid({ data }: Props) {
  const { prompts, by_engine, more_prompts } = data
  return (
    <Card
      title="Prompts and assistants"
      about="How many answers name you. Select a cell to read the answers. Prompts with the lowest rate come first."
      id="prompts"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll" aria-label="Prompts and assistants" tabIndex={0}>
        <table class="prompt-grid">
          <thead>
            <tr>
              <th scope="col">Prompt</th>
              {by_engine.map(({ engine, label }) => (
                <th key={engine} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col" class="end">
                All
              </th>
              <th scope="col">Named instead</th>
            </tr>
          </thead>
          <tbody>
            {prompts.slice(0, prompts.length - more_prompts).map((line) => (
              <PromptRow key={line.id} data={data} line={line} />
            ))}
          </tbody>
        </table>
      </section>
      {more_prompts > 0 && (
        <p>
          <a href={`?${searchOf(data.filters, { isWhole: true })}#prompts`}>
            {`Show ${formatNumber(more_prompts)} more prompts`}
          </a>
        </p>
      )}
    </Card>
  )
}

function PromptRow({ data, line }: Props & { readonly line: PromptLine }) {
  return (
    <tr>
      <th scope="row">
        <a href={answersHref(data, line, null)}>
          <bdi lang={line.language}>{line.text}</bdi>
        </a>
        {data.by_tracker.length > 0 && (
          <span class="hint under">
            <bdi>{line.brand_name}</bdi>
          </span>
        )}
        {line.is_branded && <span class="hint under">Names you, so it does not count.</span>}
        {line.is_paused && <span class="hint under">Paused</span>}
      </th>
      {line.cells.map((cell, place) => {
        const { engine = '', label = '' } = data.by_engine[place] ?? {}
        return (
          <td key={engine} class={`cell ${tintOf(cell)}`}>
            {cell === null ? (
              <span class="hint">
                –<span class="unseen">no answer</span>
              </span>
            ) : (
              <a href={answersHref(data, line, engine)}>
                {`${formatNumber(cell.k)} of ${formatNumber(cell.n)}`}
                <span class="unseen">{`, ${label}, ${line.text}`}</span>
              </a>
            )}
          </td>
        )
      })}
      <td class="end">
        {line.rate.rate === null ? '–' : percent(line.rate.rate)}
        {line.rate.ci95 !== null && <span class="hint under">{intervalWords(line.rate.ci95)}</span>}
      </td>
      <td>{line.lost_to.length === 0 ? '–' : <bdi>{lostWords(line)}</bdi>}</td>
    </tr>
  )
}

/** Five tints. The figure is in the cell, so that colour is not the only sign. */
const tintOf = (cell: PromptCell | null): string =>
  cell === null || cell.n === 0 ? 't0' : `t${Math.ceil((cell.k / cell.n) * 4)}`

/** The page with the answers behind a cell. */
export function answersHref(
  { filters, period }: Pick<VisibilityData, 'filters' | 'period'>,
  { id, tracker_id }: Pick<PromptLine, 'id' | 'tracker_id'>,
  engine: string | null,
  named?: 'yes' | 'no',
): string {
  const query = new URLSearchParams({
    tracker: tracker_id,
    prompt: id,
    from: period.date_from,
    to: period.date_to,
    ...(engine === null ? (filters.engine === '' ? {} : { engine: filters.engine }) : { engine }),
    ...(filters.country === '' ? {} : { country: filters.country }),
    ...(named === undefined ? {} : { named }),
  })
  return `/app/visibility/answers?${query}`
}
