/** @jsxImportSource renown/web */
import {
  Card,
  CodeBlock,
  countedMore,
  Empty,
  Filters,
  formatNumber,
  Head,
  Moment,
  type PageProps,
  Table,
} from 'renown/web'
import type { CountsData } from './counts-page'
import { Subnav } from './subnav'

const path = '/app/reviews/counts'

/** Explains differences such as "Google shows 412, 409 are listed here". */
export default function CountsPage({ data }: PageProps<CountsData>) {
  const { locations, location, explained } = data
  return (
    <>
      <Head title="Why does Google show another number?">
        The number of a platform, the number here, and every review behind the difference.
      </Head>
      <Subnav path={path} />
      {explained === null ? (
        <Empty text="No locations yet." action={<a href="/app/locations">Add a location</a>} />
      ) : (
        <>
          {locations.length > 1 && (
            <Filters
              action={path}
              label="Choose a location"
              filters={[{ name: 'location', label: 'Location', value: location, options: locations }]}
            />
          )}
          {explained.sources.length === 0 && <Empty text="No review of this location has been read yet." />}
          {explained.sources.map((source) => (
            <Card key={source.source} title={titled(source.source)}>
              <p>{withMoments(source.says)}</p>
              <Table
                label={`Counts of ${titled(source.source)}`}
                columns={['Count', 'Reviews', 'Why']}
                rows={[
                  ['Shown by the platform', shown(source.source_shows), ''],
                  ['Listed here', shown(source.we_list), ''],
                  ...explained.differences
                    .filter((one) => one.source === source.source)
                    .map((one) => [kindWords[one.kind], countedMore(one.reviews), one.why]),
                  ...(source.removed_at_source === 0
                    ? []
                    : [[kindWords.removed, shown(source.removed_at_source), 'Stored, but not listed.']]),
                ]}
              />
            </Card>
          ))}
          {explained.reviews.length > 0 && <Named of={explained.reviews} />}
          <Card title="Ask your agent" about="The same answer as an operation, over REST and MCP.">
            <CodeBlock>{`explainReviewCount {"location_id": "${location}"}`}</CodeBlock>
          </Card>
        </>
      )}
    </>
  )
}

const instant = /(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)/

/** Shows the instants of a sentence in the time of the reader. */
const withMoments = (sentence: string) =>
  sentence.split(instant).map((part) => (instant.test(part) ? <Moment key={part} at={part} /> : part))

type Explained = NonNullable<CountsData['explained']>

function Named({ of: reviews }: { readonly of: Explained['reviews'] }) {
  return (
    <Card title="Reviews" about="At most 50 of each kind, the newest first.">
      <Table
        label="Reviews behind the difference"
        columns={['Review', 'Stars', 'Written', 'Difference', 'Begins']}
        rows={reviews.map((one) => [
          one.review_id === undefined ? (
            <bdi key="who">{one.reviewer_name ?? one.source_id}</bdi>
          ) : (
            <a key="who" href={`/app/reviews?${new URLSearchParams({ review: one.review_id })}`}>
              <bdi>{one.reviewer_name ?? 'Anonymous'}</bdi>
            </a>
          ),
          one.star_rating ?? '–',
          <Moment key="at" at={one.review_created_at} />,
          kindWords[one.kind],
          <span key="text" dir="auto">
            {one.begins}
          </span>,
        ])}
      />
    </Card>
  )
}

const kindWords: Readonly<Record<Explained['reviews'][number]['kind'], string>> = {
  uncounted: 'Counted, shown on no page',
  overcounted: 'Shown, not counted',
  unwritten: 'Not listed yet',
  missing_once: 'Missed once',
  imported: 'From another source',
  missed: 'Missed by an incomplete read',
  part: 'Not read',
  unrecorded: 'Not recorded',
  since: 'New since the last complete read',
  removed: 'Removed at the platform',
}

const shown = (count: number | null) => (count === null ? 'Not told' : formatNumber(count))
const titled = (source: string) => `${source.slice(0, 1).toUpperCase()}${source.slice(1)}`
