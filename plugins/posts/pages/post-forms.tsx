/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Checkbox,
  Field,
  Form,
  Labelled,
  Notice,
  type PageProps,
  Row,
  Select,
} from 'renown/web'
import { ContentInputs } from './content-inputs'
import type { PostData } from './load-post'

const path = '/app/posts/post'

type Props = PageProps<PostData>

/** Returns the common parts of a form: its address, and which version of the post it is about. */
const formOf = ({ data: { id, basis }, csrf }: Props, name: string) => ({
  action: `${path}/${name}`,
  csrf,
  hidden: { post: id, id, basis, back: `${path}?post=${id}` },
})

/** Returns the refused form of this name, whose typed values are shown again. */
const refusedIn = ({ outcome }: Props, name: string) =>
  outcome?.ok === false && outcome.action === name ? outcome : null

function typedIn(props: Props, name: string) {
  const refused = refusedIn(props, name)
  return {
    value: (field: string, stored = '') => {
      const typed = refused?.values?.[field]
      return typeof typed === 'string' ? typed : stored
    },
    error: (field: string) => refused?.faults?.[field],
  }
}

/** A form that is only a button. */
export const OneButton = (
  props: Props & {
    readonly action: string
    readonly label: string
    readonly kind?: 'plain' | 'danger' | 'primary'
  },
) => (
  <Form {...formOf(props, props.action)} label={props.label} inline>
    <Button kind={props.kind ?? 'plain'}>{props.label}</Button>
  </Form>
)

/** The two answers of a person about a post whose outcome nobody can prove. */
export function Decision(props: Props) {
  const { value, error } = typedIn(props, 'confirm')
  const { platform_state: state, why, preview } = props.data
  const isHeld = props.data.state.word === 'Held back'
  return (
    <Notice
      tone="bad"
      title={
        isHeld ? `${preview.platform} still holds this post back` : `Is this post on ${preview.platform}?`
      }
    >
      {isHeld ? (
        <p>
          Its state there is <bdi>{state ?? 'unknown'}</bdi>. Release it there, or delete it there. Then tell
          Renown. Renown sends nothing again by itself.
        </p>
      ) : (
        <p>
          Renown sent the post and cannot find out whether it was published. Look at the platform. Then tell
          Renown. Renown sends nothing again by itself.
        </p>
      )}
      {why !== null && <p class="lines">{why}</p>}
      <Form {...formOf(props, 'confirm')} label="It is there">
        <Field
          name="url"
          label="Address of the post"
          type="url"
          value={value('url')}
          error={error('url')}
          maxlength={2000}
        />
        <Button>It is there</Button>
      </Form>
      <OneButton {...props} action="again" label="It is not there: publish again" />
    </Notice>
  )
}

/** The form that changes what the post says. */
export function EditForm(props: Props) {
  const { mark, values, status } = props.data
  return (
    <Card title="Edit">
      {mark && <p class="hint">A change ends the review of the client, and the post needs a new link.</p>}
      <Form {...formOf(props, 'edit')} label="Edit post">
        <ContentInputs values={values} outcome={refusedIn(props, 'edit')} />
        <Row>
          <Button>{status === 'failed' ? 'Save as draft' : 'Save post'}</Button>
        </Row>
      </Form>
    </Card>
  )
}

/** The form that schedules the post for a local time. */
export function ScheduleForm(props: Props) {
  const { data } = props
  const { value, error } = typedIn(props, 'schedule')
  return (
    <Card title={data.status === 'scheduled' ? 'Change the time' : 'Schedule'}>
      <Form {...formOf(props, 'schedule')} label="Schedule post">
        <Labelled
          name="at"
          label="Day and time"
          error={error('at')}
          control={(described) => (
            <input
              id="at"
              name="at"
              type="datetime-local"
              defaultValue={value('at', data.at)}
              aria-invalid={error('at') ? 'true' : undefined}
              aria-describedby={described}
              required
            />
          )}
        />
        <Field
          name="timezone"
          label="Time zone"
          value={value('timezone', data.zone)}
          error={error('timezone')}
          maxlength={60}
        />
        <Select
          name="occurrence"
          label="If the clocks go back"
          hint="Which one to use if this time occurs twice."
          options={[
            ['earlier', 'First'],
            ['later', 'Second'],
          ]}
          value={value('occurrence', 'earlier')}
          error={error('occurrence')}
        />
        {data.duplicate_id !== null && (
          <Checkbox name="allow_duplicate" id="schedule-duplicate" label="Publish the same text again" />
        )}
        <Button>{data.status === 'scheduled' ? 'Change time' : 'Schedule post'}</Button>
      </Form>
    </Card>
  )
}

/** The form that publishes the post now. */
export const PublishForm = (props: Props) => (
  <Card title="Publish now">
    <Form {...formOf(props, 'publish')} label="Publish now">
      <Checkbox
        name="sure"
        label={`Publish it on ${props.data.preview.platform} now`}
        error={typedIn(props, 'publish').error('sure')}
      />
      {props.data.duplicate_id !== null && (
        <Checkbox name="allow_duplicate" id="publish-duplicate" label="Publish the same text again" />
      )}
      <Button kind="plain">Publish now</Button>
    </Form>
  </Card>
)

/** The forms that ask a client for an approval, and end the review. */
export function ApprovalForms(props: Props) {
  const { value, error } = typedIn(props, 'ask-approval')
  const isAsked = props.data.mark !== null
  return (
    <Card
      title="Approval"
      about="Your client opens a link without an account, and approves or rejects the post."
    >
      <Form {...formOf(props, 'ask-approval')} label="Ask for approval">
        <Field
          name="days"
          label="Days that the link works"
          value={value('days', '14')}
          error={error('days')}
          inputmode="numeric"
          maxlength={3}
        />
        <Button kind="plain">{isAsked ? 'Make new link' : 'Make link'}</Button>
      </Form>
      {isAsked && <OneButton {...props} action="end-approval" label="End review" />}
    </Card>
  )
}

/** The form that copies the post, also for another target. */
export const DuplicateForm = (props: Props) => (
  <Form {...formOf(props, 'duplicate')} label="Copy post">
    <Select
      name="platform"
      label="Copy for"
      options={props.data.platforms}
      value={typedIn(props, 'duplicate').value('platform', props.data.platform)}
      error={typedIn(props, 'duplicate').error('platform')}
    />
    <Button kind="plain">Copy post</Button>
  </Form>
)

/** The form that cancels the post. A cancelled post never comes back, so it asks once. */
export const CancelForm = (props: Props) => (
  <Form {...formOf(props, 'cancel')} label="Cancel post">
    <Checkbox
      name="sure"
      id="cancel-sure"
      label="Cancel this post. Only a copy can be published later"
      error={typedIn(props, 'cancel').error('sure')}
    />
    <Button kind="danger">Cancel post</Button>
  </Form>
)
