/** @jsxImportSource renown/web */
import { Card, type Children, differenceWords, formatNumber, StateWord, Table } from 'renown/web'
import { intervalWords, percent } from './rate-words'
import type { ShownRate, VisibilityData } from './visibility-data'
import { Whisker } from './whisker'

const columns = ['Named', 'Drawn, 0 to 100 %', '95 % interval', 'Answers', 'Change']

/** One row for each assistant: the rate as a dot with whiskers, and the same in figures. */
export const EngineTable = ({ data }: { readonly data: VisibilityData }) => (
  <Card
    title="By assistant"
    about="The dot is the rate, the line its 95 % interval. Failed questions do not count."
  >
    <RateTable
      label="Rate by assistant"
      first="Assistant"
      rows={data.by_engine.map(({ label, trouble, costs, ...shown }) => [
        <>
          {label}
          {trouble !== null && (
            <>
              {' '}
              <StateWord tone="warn" icon="triangle-alert">
                Not asked
              </StateWord>
              <span class="hint under">{trouble}</span>
            </>
          )}
          {costs.failed > 0 && (
            <span class="hint under">{`${formatNumber(costs.failed)} of ${formatNumber(costs.runs)} failed`}</span>
          )}
        </>,
        shown,
      ])}
    />
  </Card>
)

/** One row for each country. */
export const CountryTable = ({ data }: { readonly data: VisibilityData }) =>
  data.by_country.length === 0 ? null : (
    <Card title="By country" about="The country that a question is asked from.">
      <RateTable
        label="Rate by country"
        first="Country"
        rows={data.by_country.map(({ label, ...shown }) => [label, shown])}
      />
    </Card>
  )

/** One row for each tracker, each with a link to its own figures. */
export const TrackerTable = ({
  data,
  hrefOf,
}: {
  readonly data: VisibilityData
  hrefOf(tracker: string): string
}) =>
  data.by_tracker.length === 0 ? null : (
    <Card title="By tracker" about="Select one to see its competitors.">
      <RateTable
        label="Rate by tracker"
        first="Tracker"
        rows={data.by_tracker.map(({ tracker, ...shown }) => [
          <a href={hrefOf(tracker.id)}>
            <bdi>{tracker.name}</bdi>
          </a>,
          shown,
        ])}
      />
    </Card>
  )

interface RateTableProps {
  readonly label: string
  readonly first: string
  readonly rows: readonly (readonly [name: Children, shown: ShownRate])[]
}

const RateTable = ({ label, first, rows }: RateTableProps) => (
  <Table
    label={label}
    columns={[first, ...columns]}
    numeric={['Named', '95 % interval', 'Answers']}
    rows={rows.map(([name, { rate, change }]) => {
      const words = differenceWords(change)
      return [
        name,
        rate.rate === null ? 'no answers' : percent(rate.rate),
        <Whisker rate={rate.rate} ci95={rate.ci95} />,
        rate.ci95 === null ? '–' : intervalWords(rate.ci95),
        `${formatNumber(rate.k)} of ${formatNumber(rate.n)}`,
        <span class={`change ${words.tone === 'plain' ? '' : words.word}`}>{words.text}</span>,
      ]
    })}
  />
)
