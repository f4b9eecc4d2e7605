/** @jsxImportSource renown/web */
import { Button, Card, Form, Moment, Notice, Quote, Row, Select, StateWord } from 'renown/web'
import type { ShownAct, ShownReply, ShownReview } from './loadReview'
import { type DetailProps, formOf } from './review-forms'

const tones = ['friendly', 'professional', 'empathetic', 'concise', 'playful'] as const

/** Shows the reply of a review: the published one, the one being sent, and the draft. */
export function ReplyCard(props: DetailProps) {
  const { of: review } = props
  const { reply, act } = review
  const isQueued = act?.state === 'queued'
  return (
    <Card title="Reply">
      {act && <Act of={act} platform={review.platform} />}
      {isQueued && (
        <Form {...formOf(props, 'cancel')} label="Cancel" inline>
          <Button kind="plain">{act.act === 'delete' ? 'Cancel deletion' : 'Cancel reply'}</Button>
        </Form>
      )}
      {reply && <Standing of={reply} platform={review.platform} />}
      {review.why_not !== null && <Notice title="A reply cannot be sent from here">{review.why_not}</Notice>}
      {!isQueued && (reply ? <Change {...props} reply={reply} /> : <Draft {...props} />)}
      {review.is_demo && (
        <p class="hint">{`Demo: nothing leaves this machine. A reply is shown here, and ${review.platform} gets none.`}</p>
      )}
    </Card>
  )
}

const replyStates = {
  pending: ['warn', 'Pending', 'is checking this reply and does not show it yet.'],
  published: ['good', 'Published', 'shows this reply.'],
  rejected: ['bad', 'Rejected', 'does not show this reply.'],
} as const

function Standing({ of: reply, platform }: { readonly of: ShownReply; readonly platform: string }) {
  const [tone, words, sentence] = replyStates[reply.state]
  return (
    <>
      <Row>
        <StateWord tone={tone}>{words}</StateWord>
        <span>{`${platform} ${sentence}`}</span>
        <Moment at={reply.at ?? undefined} />
        {reply.by === 'auto-response' && <span class="hint">Sent automatically</span>}
      </Row>
      <Quote text={reply.text} />
    </>
  )
}

/** Shows the result of the last action of a person. Shows nothing if the reply itself shows it. */
function Act({ of: act, platform }: { readonly of: ShownAct; readonly platform: string }) {
  const isDelete = act.act === 'delete'
  if (act.state === 'queued') {
    return (
      <>
        <Notice tone="warn" title={isDelete ? 'Deleting the reply' : 'Sending the reply'}>
          {act.error === null
            ? `It is sent to ${platform} in a moment. Load the page again to see its state.`
            : `The last try failed: ${act.error}. Renown tries again automatically.`}
        </Notice>
        {!isDelete && <Quote text={act.text} />}
      </>
    )
  }
  if (act.state === 'failed') {
    return (
      <Notice tone="bad" title={isDelete ? 'The reply was not deleted' : 'The reply was not sent'}>
        <p>{act.error}</p>
        <p>Your text is below. Check them, then send them again.</p>
      </Notice>
    )
  }
  if (act.state === 'rejected') {
    return (
      <Notice tone="bad" title={`${platform} rejected the reply`}>
        <p>{act.error}</p>
        <p>Nobody sees it. Change its text and send it again.</p>
      </Notice>
    )
  }
  return null
}

/** Returns the typed text after an error, otherwise the initial text. */
function wordsOf({ outcome, of: review }: DetailProps, begin: string): string {
  const typed = outcome?.action === 'send' ? outcome.values?.text : undefined
  if (typeof typed === 'string') return typed
  const { act } = review
  return act?.state === 'failed' && act.act === 'publish' ? act.text : begin
}

function faultOf({ outcome }: DetailProps): string | undefined {
  if (outcome?.ok !== false || outcome.action !== 'send') return undefined
  return outcome.faults?.text ?? outcome.fault
}

function Draft(props: DetailProps) {
  const { of: review } = props
  const send = formOf(props, 'send')
  const generate = formOf(props, 'generate')
  return (
    <>
      {review.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      <Form
        {...send}
        hidden={{ ...send.hidden, replaces: '', was: review.draft, basis: review.basis }}
        label="Reply"
      >
        <Words {...props} label="Your reply" value={wordsOf(props, review.draft)} />
        <Row>
          {review.why_not === null && (
            <span data-send="">
              <Button name="do" value="send">
                Send reply
              </Button>
            </span>
          )}
          <Button kind="plain" name="do" value="save">
            Save draft
          </Button>
        </Row>
      </Form>
      <Form {...generate} hidden={{ ...generate.hidden, was: review.draft }} label="New draft">
        <Row>
          <Select name="tone" label="Tone" options={tones.map((tone) => [tone, titled(tone)] as const)} />
          <Button kind="plain">{review.draft === '' ? 'Write a draft' : 'Regenerate draft'}</Button>
        </Row>
      </Form>
      {review.draft !== '' && review.held !== null && (
        <p class="hint">{`Not for bulk approval: ${review.held}.`}</p>
      )}
    </>
  )
}

function Change(props: DetailProps & { readonly reply: ShownReply }) {
  const { of: review, reply } = props
  if (review.why_not !== null) return null
  const send = formOf(props, 'send')
  const remove = formOf(props, 'delete-reply')
  const hasFailed = faultOf(props) !== undefined || review.act?.state === 'failed'
  return (
    <>
      {review.can_edit && (
        <details open={hasFailed}>
          <summary>Edit reply</summary>
          <Form
            {...send}
            hidden={{ ...send.hidden, replaces: reply.text, basis: review.basis }}
            label="Edit reply"
          >
            <Words {...props} label="Your reply" value={wordsOf(props, reply.text)} />
            <span data-send="">
              <Button name="do" value="send">
                Send changed reply
              </Button>
            </span>
          </Form>
        </details>
      )}
      {review.can_delete && (
        <details>
          <summary>Delete reply</summary>
          <Form {...remove} hidden={{ ...remove.hidden, replaces: reply.text }} label="Delete reply">
            <p>{`Delete this reply from ${review.platform}? The review waits for a reply again.`}</p>
            <Button kind="danger">Delete reply</Button>
          </Form>
        </details>
      )}
      <Missing of={review} />
    </>
  )
}

function Missing({ of: { can_edit, can_delete, is_demo, platform } }: { readonly of: ShownReview }) {
  if (is_demo || (can_edit && can_delete)) return null
  const what = can_edit ? 'Delete' : can_delete ? 'Change' : 'Change or delete'
  return <p class="hint">{`${what} the reply on ${platform} itself.`}</p>
}

function Words(props: DetailProps & { readonly label: string; readonly value: string }) {
  const fault = faultOf(props)
  return (
    <div class="field" data-key="r">
      <label for="reply">{props.label}</label>
      <textarea
        id="reply"
        name="text"
        rows={4}
        dir="auto"
        lang={props.of.language ?? undefined}
        defaultValue={props.value}
        aria-invalid={fault === undefined ? undefined : 'true'}
        aria-describedby={fault === undefined ? undefined : 'reply-error'}
      />
      {fault !== undefined && (
        <div class="fault" id="reply-error" role="alert">
          <span>{fault}</span>
        </div>
      )}
    </div>
  )
}

const titled = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
