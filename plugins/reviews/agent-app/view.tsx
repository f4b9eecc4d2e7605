/** @jsxImportSource renown/web */
import { type AgentAppProps, formatCount, formatNumber, titleOf, useId, useState } from 'renown/web'
import { Stars } from '../pages/stars'

type Priority = 'urgent' | 'high' | 'medium' | 'low'

/** The fields of a review that are shown. */
interface Waiting {
  readonly id: string
  readonly location_id?: string
  readonly source?: string
  readonly reviewer_name?: string
  readonly star_rating?: number
  readonly review_text?: string
  readonly review_language?: string
  readonly priority?: Priority
  readonly ai_suggested_response?: string
  readonly waiting_days: number | null
}

interface Answer {
  readonly reviews: readonly Waiting[]
  readonly locations: readonly { readonly id: string; readonly business_name: string }[]
  readonly total: number
  readonly by_priority: readonly { readonly priority: Priority | null; readonly reviews: number }[]
  readonly limit: number
  readonly skip: number
  readonly has_more: boolean
}

/** The reviews that wait, as a list. Nothing here replies: drafts are only shown. */
export default function ReviewInbox({ answer, args, ask, isBusy }: AgentAppProps<Answer>) {
  const { reviews, total, by_priority, skip, has_more } = answer
  const names = new Map(answer.locations.map(({ id, business_name }) => [id, business_name]))
  if (total === 0 && args.priority === undefined)
    return <p class="app-empty">No review waits for a reply. New ones appear here within an hour.</p>
  return (
    <>
      <div class="app-row">
        <p class="app-note" role="status">
          {skip === 0 && !has_more
            ? formatCount(total, 'review')
            : `${formatNumber(skip + 1)} to ${formatNumber(skip + reviews.length)} of ${formatCount(total, 'review')}`}
        </p>
        {ask && <Priorities counts={by_priority} args={args} ask={ask} isBusy={isBusy} />}
      </div>
      {/* biome-ignore lint/a11y/noRedundantRoles: without list-style, some screen readers no longer call it a list */}
      <ol class="waits" role="list">
        {reviews.map((review) => (
          <li key={review.id}>
            <Review {...review} location={names.get(review.location_id ?? '')} />
          </li>
        ))}
      </ol>
      {ask && (skip > 0 || has_more) && (
        <div class="app-row">
          <button
            type="button"
            disabled={skip === 0 || isBusy}
            onClick={() => ask({ skip: Math.max(0, skip - answer.limit) })}
          >
            Previous
          </button>
          <button
            type="button"
            disabled={!has_more || isBusy}
            onClick={() => ask({ skip: skip + reviews.length })}
          >
            Next
          </button>
        </div>
      )}
    </>
  )
}

type PrioritiesProps = Pick<AgentAppProps<Answer>, 'args' | 'isBusy'> & {
  readonly counts: Answer['by_priority']
  readonly ask: NonNullable<AgentAppProps<Answer>['ask']>
}

/** Chooses one priority, or all of them. The counts are those of the first answer, because a filter hides the others. */
function Priorities({ counts, args, ask, isBusy }: PrioritiesProps) {
  const [first] = useState(counts)
  const [isFiltered] = useState(args.priority !== undefined)
  const known = first.filter(({ priority, reviews }) => priority !== null && (reviews > 0 || isFiltered))
  if (known.length < 2) return null
  const choices = [{ priority: undefined, reviews: null }, ...known]
  return (
    <fieldset class="pick">
      <legend class="unseen">Priority</legend>
      {choices.map(({ priority, reviews }) => (
        <button
          key={priority ?? 'all'}
          type="button"
          aria-pressed={String(args.priority === (priority ?? undefined))}
          disabled={isBusy}
          onClick={() => ask({ priority: priority ?? undefined, skip: undefined })}
        >
          {priority ? titleOf(priority) : 'All'}
          {reviews !== null && !isFiltered && <span class="count">{formatNumber(reviews)}</span>}
        </button>
      ))}
    </fieldset>
  )
}

type ReviewProps = Waiting & { readonly location: string | undefined }

function Review({
  location,
  source,
  reviewer_name,
  star_rating,
  priority,
  waiting_days,
  ...review
}: ReviewProps) {
  const { review_text = '', review_language, ai_suggested_response: draft = '' } = review
  return (
    <>
      <div class="who">
        <Stars stars={star_rating ?? null} />
        <bdi>{reviewer_name ?? 'Without a name'}</bdi>
        <span class="hint">
          {source !== undefined && titleOf(source)}
          {location !== undefined && (
            <>
              {source === undefined ? '' : ' · '}
              <bdi>{location}</bdi>
            </>
          )}
        </span>
        {(priority === 'urgent' || priority === 'high') && (
          <span class={`tag ${priority}`}>{titleOf(priority)}</span>
        )}
        {waiting_days !== null && (
          <span class="age">{waiting_days === 0 ? 'today' : `${formatCount(waiting_days, 'day')} ago`}</span>
        )}
      </div>
      {review_text === '' ? (
        <p class="words none">Stars without words</p>
      ) : (
        <Words text={review_text} lang={review_language} />
      )}
      {draft !== '' && (
        <div class="draft">
          <p class="name">Draft of a reply</p>
          <Words text={draft} />
        </div>
      )}
    </>
  )
}

const shortCharacters = 480
const shortLines = 5

/** A text of a stranger or a draft, shown as text only. A long one can be opened. */
function Words({ text, lang }: { readonly text: string; readonly lang?: string | undefined }) {
  const id = useId()
  const [isOpen, open] = useState(false)
  const isLong = text.length > shortCharacters || text.split('\n', shortLines + 1).length > shortLines
  return (
    <>
      <p id={id} class={isLong && !isOpen ? 'words long' : 'words'} dir="auto" lang={lang}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          class="quiet more"
          aria-expanded={String(isOpen)}
          aria-controls={id}
          onClick={() => open(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}
