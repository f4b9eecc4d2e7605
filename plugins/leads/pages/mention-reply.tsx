/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Checkbox,
  Form,
  Moment,
  Notice,
  OutLink,
  Quote,
  Row,
  Select,
  TextArea,
} from 'renown/web'
import type { ShownMention } from './load-mention'
import { type DetailProps, formOf } from './mention-forms'
import { AnsweredByHand, ByAccount, ByHand, Sending } from './reply-parts'

const tones = ['friendly', 'professional', 'empathetic', 'concise', 'playful'] as const
const lengths = ['short', 'medium', 'long'] as const
const pairsOf = (words: readonly string[]) =>
  words.map((word) => [word, `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`] as const)

/** The reply to a mention: its draft, how it is sent or posted by hand, and how far it is. */
export function MentionReply(props: DetailProps) {
  const { of: mention, outcome } = props
  const { note, draft, removal_rule, reply, sending } = mention
  if (removal_rule !== null) return null
  const failed =
    outcome?.ok === false && replyForms.includes(outcome.action) && !outcome.faults?.url ? outcome : null
  const isBusy = sending.attempt !== null && ['queued', 'sending'].includes(sending.attempt.state)
  const isOpen = sending.attempt?.is_unknown === true && reply === null
  return (
    <Card title="Reply">
      {reply !== null && <Answered of={reply} />}
      <Sending {...props} />
      {failed && (
        <Notice tone="bad" title="Nothing was changed">
          {failed.fault}
        </Notice>
      )}
      {isBusy || isOpen ? null : note.may_reply ? (
        <>
          {draft.rule !== null && <p class="hint">{draft.rule}</p>}
          <Draft {...props} />
          <AnsweredByHand {...props} />
        </>
      ) : (
        <Notice title="You may not reply from here">
          {`The terms of ${note.label ?? note.channel} do not allow it.`}
        </Notice>
      )}
    </Card>
  )
}

const replyForms: readonly string[] = ['answered', 'reply-cancel', 'reply-confirm', 'reply-again']

const Answered = ({ of: { text, at, url } }: { readonly of: NonNullable<ShownMention['reply']> }) => (
  <>
    <p>
      Answered <Moment at={at ?? undefined} />
      {url === null ? (
        '.'
      ) : (
        <>
          {'. '}
          <OutLink href={url}>Open the reply</OutLink>
        </>
      )}
    </p>
    {text !== '' && <Quote text={text} />}
  </>
)

function Draft(props: DetailProps) {
  const { of: mention, outcome } = props
  const { draft, sending, reply } = mention
  const { choice, attempt } = sending
  const write = formOf(props, 'write')
  const failed = outcome?.ok === false && ['write', 'generate'].includes(outcome.action) ? outcome : null
  const wrote = failed?.action === 'write' ? failed : null
  const typed = wrote?.values?.text
  const mayOpen = choice.way === 'open' && reply === null
  const own = new Set(['says_who', 'sure', 'text'])
  const isOther = wrote !== null && !Object.keys(wrote.faults ?? {}).some((name) => own.has(name))
  const isFailed = attempt?.state === 'failed' || attempt?.state === 'cancelled'
  return (
    <>
      {draft.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      {failed?.action === 'generate' && (
        <Notice tone="bad" title="No draft was written">
          {failed.fault}
        </Notice>
      )}
      <Form {...write} hidden={{ ...write.hidden, if_draft: draft.seen, basis: mention.basis }} label="Reply">
        <div data-key="r">
          <TextArea
            name="text"
            label="Your reply"
            value={typeof typed === 'string' ? typed : isFailed && reply === null ? attempt.text : draft.text}
            error={wrote?.faults?.text ?? (isOther ? wrote.fault : undefined)}
            rows={6}
          />
        </div>
        {choice.way === 'account' && reply === null && <ByAccount {...props} />}
        {mayOpen && <ByHand of={mention} />}
        <Row>
          <Button kind="plain" name="do" value="save">
            Save draft
          </Button>
          <button type="button" class="button plain" data-copies="text" hidden>
            Copy<span class="unseen"> the reply</span>
          </button>
          {mayOpen && (
            <a
              class="button primary"
              href={choice.url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              data-copies="text"
            >
              Open the thread
            </a>
          )}
        </Row>
      </Form>
      <DraftOrigin of={mention} />
      <Generate {...props} />
    </>
  )
}
function DraftOrigin({ of: { draft } }: { readonly of: ShownMention }) {
  if (draft.text === '') return null
  const by = draft.by === null || draft.by === 'caller' ? 'Written' : `Written by ${generatorWords(draft.by)}`
  return (
    <p class="hint">
      {by}
      {draft.at !== null && (
        <>
          {' '}
          <Moment at={draft.at} />
        </>
      )}
      . Nobody sees a draft until a person sends it.
    </p>
  )
}

const generatorWords = (by: string): string =>
  by.startsWith('llm:') ? `the language model ${by.slice(4)}` : by.startsWith('template') ? 'a template' : by

function Generate(props: DetailProps) {
  const { draft } = props.of
  const generate = formOf(props, 'generate')
  const back = formOf(props, 'take-back')
  const was = { if_draft: draft.seen }
  return (
    <>
      <Form {...generate} hidden={{ ...generate.hidden, ...was }} label="New draft">
        <Row>
          <Select name="tone" label="Tone" options={pairsOf(tones)} />
          <Select name="length" label="Length" options={pairsOf(lengths)} value="medium" />
          <Button kind="plain">{draft.text === '' ? 'Write a draft' : 'Write another draft'}</Button>
        </Row>
        <Checkbox name="discloses" label="Say that you work for the business" checked />
      </Form>
      {draft.has_previous && (
        <Form {...back} hidden={{ ...back.hidden, ...was }} label="Earlier draft" inline>
          <Button kind="quiet">Take back the earlier draft</Button>
        </Form>
      )}
    </>
  )
}
