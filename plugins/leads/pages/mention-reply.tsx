/** @jsxImportSource renown/web */
import { Button, Card, Checkbox, Form, Moment, Notice, Quote, Row, Select, TextArea } from 'renown/web'
import type { ShownMention } from './load-mention'
import { type DetailProps, formOf } from './mention-forms'

const tones = ['friendly', 'professional', 'empathetic', 'concise', 'playful'] as const
const lengths = ['short', 'medium', 'long'] as const
const pairsOf = (words: readonly string[]) =>
  words.map((word) => [word, `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`] as const)

/** The draft of a reply. People post it themselves. */
export function MentionReply(props: DetailProps) {
  const { of: mention } = props
  const { note, reply, draft, removal_rule } = mention
  if (removal_rule !== null) return null
  return (
    <Card title="Reply">
      {reply !== null && (
        <>
          <p>
            Answered <Moment at={reply.at ?? undefined} />.
          </p>
          <Quote text={reply.text} />
        </>
      )}
      {note.may_reply ? (
        <>
          {draft.rule !== null && <p class="hint">{draft.rule}</p>}
          <Draft {...props} />
        </>
      ) : (
        <Notice title="You may not reply from here">
          {`The terms of ${note.label ?? note.channel} do not allow it.`}
        </Notice>
      )}
    </Card>
  )
}

function Draft(props: DetailProps) {
  const { of: mention, outcome } = props
  const { draft } = mention
  const write = formOf(props, 'write')
  const failed = outcome?.ok === false && ['write', 'generate'].includes(outcome.action) ? outcome : null
  const typed = failed?.action === 'write' ? failed.values?.text : undefined
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
      <Form {...write} hidden={{ ...write.hidden, was: draft.seen }} label="Reply">
        <TextArea
          name="text"
          label="Your reply"
          value={typeof typed === 'string' ? typed : draft.text}
          error={failed?.action === 'write' ? (failed.faults?.text ?? failed.fault) : undefined}
          rows={6}
        />
        <Row>
          <Button kind="plain">Save draft</Button>
          <button type="button" class="button plain" data-copies="text" hidden>
            Copy<span class="unseen"> the reply</span>
          </button>
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
      {by} <Moment at={draft.at ?? undefined} />. Renown never posts it: copy it, open the post and answer
      there.
    </p>
  )
}

const generatorWords = (by: string): string =>
  by.startsWith('llm:') ? `the language model ${by.slice(4)}` : by.startsWith('template') ? 'a template' : by

function Generate(props: DetailProps) {
  const { draft } = props.of
  const generate = formOf(props, 'generate')
  const back = formOf(props, 'take-back')
  const was = { was: draft.seen }
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
