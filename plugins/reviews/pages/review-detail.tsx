/** @jsxImportSource renown/web */
import {
  Badge,
  Button,
  Card,
  Facts,
  Form,
  listAddress,
  Moment,
  Notice,
  Quote,
  Row,
  StateWord,
  Timeline,
} from 'renown/web'
import type { HistoryEvent } from './history'
import type { ShownReview } from './loadReview'
import { ReplyCard } from './reply-card'
import { type DetailProps, formOf, reviewsPath } from './review-forms'
import { Stars } from './stars'

/** Shows one review: its text, its analysis, its reply, and the notes of people. */
export function ReviewDetail(props: DetailProps) {
  const { of: review, outcome } = props
  return (
    <>
      <Card title={<bdi>{review.by ?? 'Anonymous'}</bdi>}>
        <div class="facts-line">
          <Stars stars={review.stars} recommends={review.recommends} />
          <span>{review.platform}</span>
          <bdi>{review.location.name}</bdi>
          <Moment at={review.created_at ?? undefined} />
          {review.is_flagged && (
            <StateWord tone="warn" icon="flag">
              Flagged
            </StateWord>
          )}
        </div>
        {review.removed_at !== null && (
          <Notice tone="warn" title={`${review.platform} no longer shows this review`}>
            Seen <Moment at={review.removed_at} />. It is left out of lists and figures.
          </Notice>
        )}
        {review.text === '' ? (
          <p class="hint">The review has a rating and no text.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <section class="review-text" tabIndex={0} aria-label="Text of the review">
            <Quote text={review.text} lang={review.language ?? undefined} />
          </section>
        )}
        {review.translation !== null && (
          <div class="translation">
            <p class="hint">Translation by Google</p>
            <Quote text={review.translation} />
          </div>
        )}
        {outcome?.ok === false && outcome.action !== 'send' && (
          <Notice tone="bad" title="This was not done">
            {outcome.faults?.reason ?? outcome.faults?.text ?? outcome.fault}
          </Notice>
        )}
      </Card>
      <ReplyCard {...props} />
      <Analysis of={review} />
      <People {...props} />
      <History {...props} />
    </>
  )
}

function Analysis({ of: review }: { readonly of: ShownReview }) {
  const { sentiment, emotion, topics, method, priority, language } = review
  if (method === null && sentiment === null && topics.length === 0) return null
  return (
    <Card title="Analysis">
      {topics.length > 0 && (
        <ul class="themes" aria-label="Themes">
          {topics.map((topic) => (
            <li key={topic}>
              <a class="chip" href={`${reviewsPath}?${new URLSearchParams({ theme: topic })}`}>
                <bdi>{topic}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
      <Facts
        of={[
          ...(sentiment === null
            ? []
            : [['Feeling', emotion === null ? sentiment : `${sentiment}, ${emotion}`] as const]),
          ...(priority === null ? [] : [['Priority', priority] as const]),
          ...(language === null ? [] : [['Language', <bdi key="language">{language}</bdi>] as const]),
          ['Method', method === null ? 'Not recorded' : <bdi key="method">{methodWords(method)}</bdi>],
        ]}
      />
    </Card>
  )
}

/** Describes the method of an analysis. */
function methodWords(method: string): string {
  if (method.startsWith('llm:')) return `Language model ${method.slice(4)}`
  return methods[method] ?? method
}

const methods: Readonly<Record<string, string>> = {
  stars: 'Stars alone',
  'stars+lexicon': 'Stars, adjusted by word lists',
  recommendation: 'Recommendation alone',
  'recommendation+lexicon': 'Recommendation, adjusted by word lists',
  lexicon: 'Word lists alone',
}

/** Shows the fields that people set on a review: read, flag and note. */
function People(props: DetailProps) {
  const { of: review, outcome } = props
  const typed = outcome?.action === 'note' ? outcome.values?.text : undefined
  const mark = formOf(props, 'mark')
  return (
    <Card title="For your team">
      <Row>
        <Badge tone={review.is_read ? 'plain' : 'warn'}>{review.is_read ? 'Read' : 'Unread'}</Badge>
        <Form
          {...mark}
          hidden={{ ...mark.hidden, state: review.is_read ? 'unread' : 'read' }}
          label="Read"
          inline
        >
          <span data-key={review.is_read ? undefined : 'e'}>
            <Button kind="plain">{review.is_read ? 'Mark as unread' : 'Mark as read'}</Button>
          </span>
        </Form>
        {review.is_flagged && (
          <Form {...formOf(props, 'unflag')} label="Flag" inline>
            <Button kind="plain">Remove flag</Button>
          </Form>
        )}
      </Row>
      {review.is_flagged ? (
        <p>
          Flagged: <bdi>{review.flag_reason ?? 'no reason was given'}</bdi>
        </p>
      ) : (
        <Form {...formOf(props, 'flag')} label="Flag">
          <div class="field">
            <label for="reason">Flag for review by a person</label>
            <input id="reason" name="reason" maxlength={500} placeholder="Reason" autocomplete="off" />
          </div>
          <Button kind="plain">Flag review</Button>
        </Form>
      )}
      <Form {...formOf(props, 'note')} label="Note">
        <div class="field">
          <label for="note">Internal note</label>
          <textarea
            id="note"
            name="text"
            rows={3}
            dir="auto"
            defaultValue={typeof typed === 'string' ? typed : review.notes}
          />
        </div>
        <Button kind="plain">Save note</Button>
      </Form>
    </Card>
  )
}

function History({ data: { list, history }, of: review }: DetailProps) {
  return (
    <Card title="History">
      {review.automatic_due !== null && (
        <p>
          Automatic reply: <Moment at={review.automatic_due} />.
        </p>
      )}
      <p>{review.automatic}</p>
      {history === null ? (
        <p>
          <a href={listAddress(list, { review: review.id, history: '1' })}>Show the history of this review</a>
        </p>
      ) : (
        <>
          {history.events.length === 0 ? (
            <p class="hint">
              Nothing was recorded of it yet. Reviews of the demo, and those that were imported, have no
              history.
            </p>
          ) : (
            <Timeline
              label="What Renown read of this review"
              events={history.events.map((event) => ({
                at: event.at,
                what: <What of={event} />,
                tone: event.kind === 'removed' ? ('bad' as const) : ('plain' as const),
              }))}
            />
          )}
          {!history.is_whole && <p class="hint">Older entries are not shown: run `review verify` for all.</p>}
        </>
      )}
    </Card>
  )
}

const eventWords: Readonly<Record<HistoryEvent['kind'], string>> = {
  first: 'First read',
  rewritten: 'Text changed',
  rated: 'Rating changed',
  replied: 'Reply read',
  reply_changed: 'Reply changed',
  reply_gone: 'Reply gone',
  removed: 'Removed at its source',
  restored: 'Shown by its source again',
}

function What({ of: { kind, before, after } }: { readonly of: HistoryEvent }) {
  if (kind === 'rated') return <>{`${eventWords.rated} from ${before} to ${after}`}</>
  return (
    <>
      {eventWords[kind]}
      {before !== undefined && <del dir="auto">{before}</del>}
      {after !== undefined && <Quote text={after} />}
    </>
  )
}
