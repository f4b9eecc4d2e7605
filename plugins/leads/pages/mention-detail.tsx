/** @jsxImportSource renown/web */
import {
  Badge,
  Button,
  Card,
  Form,
  formatCount,
  Highlight,
  listAddress,
  Moment,
  Notice,
  OutLink,
  Quote,
  Row,
  StateWord,
} from 'renown/web'
import { channelNames } from '../records/channel-names'
import type { ShownCopy, ShownMention } from './load-mention'
import { type DetailProps, formOf, mentionsPath } from './mention-forms'
import { MentionReply } from './mention-reply'
import { MentionWhy } from './mention-why'
import { Posted } from './posted'

/** Shows one mention: its text with the found words, its source, the reasons, copies and the reply. */
export function MentionDetail(props: DetailProps) {
  const { of: mention } = props
  const { author, note, language } = mention
  return (
    <>
      <Card title={<bdi>{author.name ?? (author.handle || 'Unknown author')}</bdi>}>
        <div class="facts-line">
          <span class="source-mark">{note.channel}</span>
          {author.url === null ? (
            author.name !== null && author.handle !== '' && <bdi>{author.handle}</bdi>
          ) : (
            <OutLink href={author.url}>
              <bdi>{author.handle || 'Profile'}</bdi>
            </OutLink>
          )}
          <Posted at={mention.posted_at} before="Posted " />
          <Status of={mention} />
        </div>
        <State of={mention} />
        {mention.title !== '' && (
          <p class="mention-title" dir="auto" lang={langOf(language)}>
            <Highlight text={mention.title} marks={mention.marks.title} />
          </p>
        )}
        <Body of={mention} />
        {mention.is_cut && <p class="hint">The text is longer. Open the post to read all of it.</p>}
        {note.attribution !== null && <p class="hint">{note.attribution}</p>}
        <p>
          <OutLink href={mention.url}>Open the post</OutLink>
          {mention.parent_url !== null && (
            <>
              {' · '}
              <OutLink href={mention.parent_url}>Open the thread</OutLink>
            </>
          )}
        </p>
        <Decide {...props} />
      </Card>
      <MentionWhy of={mention} />
      <Copies {...props} />
      <MentionReply {...props} />
    </>
  )
}

/** A longer text is folded, so that the buttons stay near. */
const foldedFrom = 1_200

function Body({ of: { body, language, marks } }: { readonly of: ShownMention }) {
  if (body === '') return null
  const lang = langOf(language)
  if (body.length <= foldedFrom) return <Quote text={body} lang={lang} marks={marks.body} />
  return (
    <>
      <Quote text={`${body.slice(0, foldedFrom).toWellFormed()}…`} lang={lang} marks={marks.body} />
      <details>
        <summary>Show the whole post</summary>
        <Quote text={body} lang={lang} marks={marks.body} />
      </details>
    </>
  )
}

const langOf = (tag: string) => (tag === 'und' ? undefined : tag)

function Status({ of: { status, lead, is_read } }: { readonly of: ShownMention }) {
  return (
    <>
      {status === 'saved' && <StateWord tone="good">Saved</StateWord>}
      {status === 'replied' && <StateWord tone="good">Answered</StateWord>}
      {status === 'dismissed' && <StateWord icon="circle-minus">Dismissed</StateWord>}
      {lead && (
        <a href={`/app/leads?${new URLSearchParams({ lead: lead.id })}`}>
          <StateWord tone="warn" icon="user">
            {`Lead: ${lead.stage}`}
          </StateWord>
        </a>
      )}
      {!is_read && <Badge tone="warn">Unread</Badge>}
    </>
  )
}

const removals = {
  retention_days: 'The terms of the source allow to keep it only for a while, so its text was deleted.',
  recheck_days: 'The source could not be read again in time, so its text was deleted, as its terms demand.',
  delete_with_source: 'Its author deleted it at the source, so its text was deleted here too.',
  erased: 'Its author was erased, so its text was deleted.',
} as const

/** What happened to the post since it was found. */
function State({
  of: { edited, removed_at, removal_rule, missing_since, unmatched_at, keep_until, original, counted_as },
}: {
  readonly of: ShownMention
}) {
  return (
    <>
      {removal_rule !== null && (
        <Notice tone="warn" title="The text was deleted">
          {removals[removal_rule]}
        </Notice>
      )}
      {removal_rule === null && removed_at !== null && (
        <Notice tone="warn" title="Deleted at the source">
          The source no longer shows this post, so its words were removed here too. Seen{' '}
          <Moment at={removed_at} />. Do not quote it.
        </Notice>
      )}
      {removed_at === null && missing_since !== null && (
        <Notice tone="warn" title="Perhaps deleted">
          The source did not show this post <Moment at={missing_since} />. Renown looks again soon, because
          one answer proves nothing.
        </Notice>
      )}
      {removed_at === null && unmatched_at !== null && (
        <Notice tone="warn" title="The name was taken out">
          Its author edited the post. It no longer contains a keyword of the tracker, so it is not counted.
          Seen <Moment at={unmatched_at} />. Your notes and drafts stay.
        </Notice>
      )}
      {removal_rule === null && keep_until !== null && (
        <p class="hint">
          Renown cannot see whether its author deletes this post, because its platform is not set up as a
          source. As its terms demand, the text is deleted <Moment at={keep_until} />.
        </p>
      )}
      {edited !== null && removal_rule === null && (
        <p class="hint">
          Edited by its author <Moment at={edited.at} />
          {edited.versions > 1 ? `. This is version ${edited.versions}.` : '.'}
        </p>
      )}
      {original !== null && (
        <p class="hint">
          The same post or a copy of{' '}
          <a href={`${mentionsPath}?state=any&mention=${original.id}`}>an earlier one</a>, so it is not
          counted.
        </p>
      )}
      {counted_as !== null && (
        <p class="hint">
          Another tracker found <a href={`${mentionsPath}?state=any&mention=${counted_as}`}>this post</a> too,
          so it is counted there.
        </p>
      )}
    </>
  )
}

/** The buttons of a decision. A decided mention first becomes new again. */
function Decide(props: DetailProps) {
  const { of: mention } = props
  const form = (name: string) => {
    const { hidden, ...common } = formOf(props, name)
    return { ...common, hidden: { ...hidden, seen: mention.status }, inline: true }
  }
  const mark = formOf(props, 'mark')
  return (
    <div class="decide">
      <Row>
        {mention.status === 'new' ? (
          <>
            <Form {...form('save')} label="Save">
              <span data-key="s">
                <Button>Save</Button>
              </span>
            </Form>
            <Form {...form('dismiss')} label="Dismiss">
              <span data-key="x">
                <Button kind="plain">Dismiss</Button>
              </span>
            </Form>
          </>
        ) : (
          <Form {...form('restore')} label="Make new again">
            <span data-key="u">
              <Button kind="plain">Make new again</Button>
            </span>
          </Form>
        )}
        <Form
          {...mark}
          hidden={{ ...mark.hidden, state: mention.is_read ? 'unread' : 'read' }}
          label="Read"
          inline
        >
          <Button kind="quiet">{mention.is_read ? 'Mark as unread' : 'Mark as read'}</Button>
        </Form>
      </Row>
    </div>
  )
}

function Copies({ of: { copies, similar }, data: { list } }: DetailProps) {
  const lines = (posts: readonly ShownCopy[]) => (
    <ul class="copies">
      {posts.map((copy) => (
        <CopyLine key={copy.id} of={copy} href={listAddress(list, { mention: copy.id })} />
      ))}
    </ul>
  )
  return (
    <>
      {copies.length > 0 && (
        <Card
          title={`The same text ${formatCount(copies.length, 'more time')}`}
          about="Copies are counted once."
        >
          {lines(copies)}
        </Card>
      )}
      {similar.length > 0 && (
        <Card title="Nearly the same words by others" about="Each of these posts is counted.">
          {lines(similar)}
        </Card>
      )}
    </>
  )
}

const CopyLine = ({ of: copy, href }: { readonly of: ShownCopy; readonly href: string }) => (
  <li>
    <a href={href}>
      <bdi>{copy.by || 'Unknown author'}</bdi>
    </a>
    <span class="source-mark">{channelNames[copy.source]}</span>
    <Posted at={copy.at} />
    <OutLink href={copy.url}>Open the post</OutLink>
  </li>
)
