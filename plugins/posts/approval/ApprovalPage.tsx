/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Facts,
  Field,
  Form,
  Head,
  Labelled,
  Moment,
  Notice,
  type PublicPageProps,
  Quote,
  Row,
} from 'renown/web'
import { Preview } from './post-preview'
import type { ApprovalData } from './public-approval'

/** A client reads one post as it will look, and approves or rejects it. */
export default function ApprovalPage(props: PublicPageProps<ApprovalData>) {
  const { data, agency, outcome } = props
  const { post, when } = data
  return (
    <Card>
      <Head title="Approve a post">
        {agency === '' ? 'You are asked' : <bdi>{agency}</bdi>} {agency === '' ? '' : 'asks you '}to approve a
        post of <bdi>{data.business}</bdi>.
      </Head>
      {outcome?.fault !== undefined && (
        <Notice tone="bad" title="Your answer was not saved">
          <p>{outcome.faults?.note ?? outcome.faults?.answer ?? outcome.fault}</p>
        </Notice>
      )}
      <Answered of={data} />
      {post && (
        <>
          <Facts
            of={[
              ['Platform', post.platform],
              ['Planned', when ?? 'Not scheduled yet'],
            ]}
          />
          <Preview of={post} />
        </>
      )}
      {data.state === 'open' && <Answer {...props} />}
      {data.state === 'open' && (
        <p class="hint">
          Your answer publishes nothing by itself. This link works until <Moment at={data.expires_at} isDay />
          .
        </p>
      )}
    </Card>
  )
}

function Answer({ data, path, outcome }: PublicPageProps<ApprovalData>) {
  const typed = (name: string) => {
    const value = outcome?.values?.[name]
    return typeof value === 'string' ? value : ''
  }
  const faults = outcome?.faults ?? {}
  return (
    <Form action={path} csrf="" hidden={{ basis: data.basis }} label="Answer">
      <Labelled
        name="note"
        label="Comment"
        hint="If you reject the post, write what should change."
        error={faults.note}
        control={(described) => (
          <textarea
            id="note"
            name="note"
            rows={4}
            maxlength={2000}
            dir="auto"
            defaultValue={typed('note')}
            aria-describedby={described}
            aria-invalid={faults.note ? 'true' : undefined}
          />
        )}
      />
      <Field
        name="name"
        label="Your name"
        value={typed('name')}
        maxlength={100}
        error={faults.name}
        optional
        autocomplete="name"
      />
      <Row>
        <Button name="answer" value="approved">
          Approve post
        </Button>
        <Button name="answer" value="rejected" kind="plain">
          Reject post
        </Button>
      </Row>
    </Form>
  )
}

function Answered({ of: { state, note, answered_at } }: { readonly of: ApprovalData }) {
  if (state === 'open') return null
  if (state === 'changed') {
    return (
      <Notice tone="warn" title="This post has changed">
        <p>Its author changed it after sending you this link. Ask for a new link.</p>
      </Notice>
    )
  }
  if (state === 'past') {
    return (
      <Notice title="No answer is needed">
        <p>This post no longer waits for an answer.</p>
      </Notice>
    )
  }
  const isApproved = state === 'approved'
  return (
    <Notice tone={isApproved ? 'good' : 'warn'} title={isApproved ? 'Approved' : 'Rejected'}>
      <p>
        {isApproved ? 'You approved this post' : 'You rejected this post'}
        {answered_at !== null && (
          <>
            {', '}
            <Moment at={answered_at} />
          </>
        )}
        . To change your answer, ask for a new link.
      </p>
      {note !== null && <Quote text={note} />}
    </Notice>
  )
}
