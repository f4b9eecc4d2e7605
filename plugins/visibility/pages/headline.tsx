/** @jsxImportSource renown/web */
import {
  Card,
  differenceRange,
  differenceWords,
  Evidence,
  formatCount,
  formatNumber,
  formatPeriod,
  IntervalBar,
  StateWord,
} from 'renown/web'
import { intervalWords, percent } from './rate-words'
import type { ShownRate, VisibilityData } from './visibility-data'

type Props = Pick<
  VisibilityData,
  'named' | 'recommended' | 'period' | 'previous' | 'model_changes' | 'incidents'
>

/** The two rates of the page: answers that name the brand, and answers that recommend it. */
export const Headline = (props: Props) => (
  <div class="stack halves">
    <RateCard
      {...props}
      shown={props.named}
      title="Named"
      about="Answers that name you, of all answers to questions that do not name you."
      definition="The mean over cells. A cell is one prompt, asked of one assistant for one country, and each cell has the same weight. Prompts that name you are left out. So are days on which an assistant failed."
    />
    <RateCard
      {...props}
      shown={props.recommended}
      title="Recommended"
      about="Answers that also recommend you, of the same answers."
      definition="The same mean, over answers that recommend you in the sentence that names you. An answer that only lists you counts as named, not as recommended."
    />
  </div>
)

interface RateProps extends Props {
  readonly shown: ShownRate
  readonly title: string
  readonly about: string
  readonly definition: string
}

function RateCard({ shown, title, about, definition, ...props }: RateProps) {
  const { rate } = shown
  const words = differenceWords(shown.change)
  if (rate.rate === null || rate.ci95 === null)
    return (
      <Card title={title} about={about}>
        <p class="large">–</p>
        <p class="hint">No answers count in this period.</p>
      </Card>
    )
  return (
    <Card title={title} about={about}>
      <div class="figure-line">
        <span class="large">{percent(rate.rate)}</span>
        <StateWord
          tone={words.tone}
          icon={{ up: 'arrow-up', down: 'arrow-down' }[words.word as string] as 'arrow-up' | undefined}
        >
          {capital(words.text)}
        </StateWord>
      </div>
      <IntervalBar label={title} value={rate.rate} low={rate.ci95[0]} high={rate.ci95[1]} />
      <p>{`95 % interval: ${intervalWords(rate.ci95)}. ${answersIn(rate.n, rate.rounds)} Of the answers that came and could be judged.`}</p>
      <p class="hint">{changeSentence(shown, props)}</p>
      <Evidence
        figure="How it is counted"
        label={title}
        definition={definition}
        facts={[
          ['Answers', `${formatNumber(rate.k)} of ${formatNumber(rate.n)}`],
          ['Cells', formatNumber(rate.cells)],
          ['As precise as', `${formatNumber(rate.effective_n)} independent answers`],
          ['Interval', rate.interval_basis],
          ['Compared cells', formatNumber(shown.change.common)],
          ['Only now, only before', `${shown.change.came}, ${shown.change.left}`],
        ]}
      />
    </Card>
  )
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const answersIn = (n: number, rounds: number) =>
  `${formatCount(n, 'answer')} in ${formatCount(rounds, 'round')}.`

/** Says how the rate changed, how sure that is, and on what it rests. */
export function changeSentence(
  { change }: ShownRate,
  { previous, model_changes }: Pick<Props, 'previous' | 'model_changes'>,
): string {
  const { now, before, difference, ci95, common } = change
  const earlier = `the ${previous.days} days before (${formatPeriod(previous)})`
  if (difference === null || ci95 === null || now.rate === null || before.rate === null) {
    return model_changes.length > 0
      ? `Not comparable with ${earlier}: the assistants changed their models, and a new model starts a new series.`
      : `Not comparable with ${earlier}: no question was asked of the same assistant in both periods.`
  }
  const rates = `${percent(now.rate)} now and ${percent(before.rate)} in ${earlier}, over the ${formatNumber(common)} cells that both have.`
  const range = `The difference is ${differenceRange(ci95)} with 95 % certainty.`
  const verdict = change.change_significant
    ? 'Chance alone seldom makes such a difference.'
    : 'Chance alone can make such a difference.'
  return `${rates} ${range} ${verdict}`
}
