/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  CopyField,
  Empty,
  Field,
  Filters,
  Form,
  Head,
  Notice,
  type PageProps,
  Row,
  StateWord,
  Toast,
} from 'renown/web'
import type { ShownTarget, TargetsData } from './targets-page'

const path = '/app/posts/targets'

/** Connects a location with the targets of its posts. */
export default function TargetsPage(props: PageProps<TargetsData>) {
  const { data, notice, outcome } = props
  const { location, locations } = data
  return (
    <>
      <Head title="Post targets">
        Where the posts of a location are published. <a href="/app/posts">All posts</a>
      </Head>
      {notice !== null && <Toast text={notice} />}
      {outcome?.ok === false && (
        <Notice tone="bad" title="Nothing was changed">
          <p>{Object.values(outcome.faults ?? {})[0] ?? outcome.fault}</p>
        </Notice>
      )}
      {!location && (
        <Empty text="Add a business location first." action={<a href="/app/locations">Locations</a>} />
      )}
      {location && (
        <>
          {locations.length > 1 && (
            <Filters
              action={path}
              label="Location"
              filters={[
                {
                  name: 'location',
                  label: 'Location',
                  value: location.id,
                  options: locations,
                  none: 'First',
                },
              ]}
            />
          )}
          {data.targets.map((target) => (
            <Target key={target.platform} {...props} of={target} id={location.id} />
          ))}
        </>
      )}
      <Rule {...props} />
    </>
  )
}

type TargetProps = PageProps<TargetsData> & { readonly of: ShownTarget; readonly id: string }

function Target({ of: target, id, csrf, data, outcome }: TargetProps) {
  const { platform, label, is_connected, form, feeds, why } = target
  const hidden = { location: id, platform, back: `${path}?location=${id}` }
  const isRefused =
    outcome?.ok === false && outcome.action === 'connect' && outcome.values?.platform === platform
  const isOpen = isRefused || data.connect === platform
  const isBare = Object.keys(form ?? {}).length === 0
  const error = (name: string) => (isRefused ? outcome.faults?.[name] : undefined)
  const typed = (name: 'address' | 'account') => {
    const value = isRefused ? outcome.values?.[name] : undefined
    return typeof value === 'string' ? value : (target[name] ?? '')
  }
  return (
    <Card title={label}>
      <Row>
        <StateWord tone={target.doubt !== null ? 'bad' : is_connected ? 'good' : 'plain'}>
          {target.doubt !== null ? 'In doubt' : is_connected ? 'Connected' : 'Not connected'}
        </StateWord>
        {target.account !== null && <bdi>{target.account}</bdi>}
        {target.address !== null && <bdi>{target.address}</bdi>}
      </Row>
      {why !== null && <p class="hint">{why}</p>}
      {target.doubt !== null && (
        <Notice tone="bad" title="In doubt">
          <p>
            <bdi>{target.doubt.why}</bdi>
          </p>
          <p>
            Renown publishes nothing there. Posts that are due wait for an hour. Look at the account, then
            confirm that posts may be published.
          </p>
          {data.may_change && (
            <Form action={`${path}/confirm`} csrf={csrf} hidden={hidden} label={`Confirm ${label}`} inline>
              <Button>Confirm {label}</Button>
            </Form>
          )}
        </Notice>
      )}
      {form === null && (
        <p>
          It uses an account under <a href="/app/settings/connections">Connections</a>.
        </p>
      )}
      {feeds && (
        <>
          <CopyField name="feed-rss" label="RSS" value={feeds.rss} />
          <CopyField name="feed-json" label="JSON Feed" value={feeds.json} />
        </>
      )}
      {data.may_change && form !== null && (isOpen || (!is_connected && isBare)) && (
        <Form action={`${path}/connect`} csrf={csrf} hidden={hidden} label={`Connect ${label}`}>
          {form.address !== undefined && (
            <Field name="address" label={form.address} value={typed('address')} error={error('address')} />
          )}
          {form.account !== undefined && (
            <Field name="account" label={form.account} value={typed('account')} error={error('account')} />
          )}
          {form.secret !== undefined && (
            <Field
              name="secret"
              label={form.secret}
              type="password"
              autocomplete="off"
              error={error('secret')}
            />
          )}
          <Button kind="plain">Connect {label}</Button>
        </Form>
      )}
      {data.may_change && form !== null && (
        <Row>
          {!isBare && !isOpen && (
            <a href={`${path}?${new URLSearchParams({ location: id, connect: platform })}`}>
              {is_connected ? `Replace the connection of ${label}` : `Connect ${label}`}
            </a>
          )}
          {feeds && (
            <Form action={`${path}/renew`} csrf={csrf} hidden={hidden} label="Renew address" inline>
              <Button kind="plain">Renew address</Button>
            </Form>
          )}
          {is_connected && (
            <Form
              action={`${path}/disconnect`}
              csrf={csrf}
              hidden={hidden}
              label={`Disconnect ${label}`}
              inline
            >
              <Button kind="danger">Disconnect {label}</Button>
            </Form>
          )}
        </Row>
      )}
    </Card>
  )
}

function Rule({ data: { needs_approval: isOn, may_change }, csrf }: PageProps<TargetsData>) {
  return (
    <Card title="Approval" about="Whether this workspace publishes only posts that a client approved.">
      <Row>
        <StateWord tone={isOn ? 'good' : 'plain'}>{isOn ? 'Needed' : 'Not needed'}</StateWord>
        {may_change && (
          <Form
            action={`${path}/rules`}
            csrf={csrf}
            hidden={{ needed: isOn ? 'off' : 'on' }}
            label="Approval"
            inline
          >
            <Button kind="plain">{isOn ? 'Publish without approval' : 'Demand approval'}</Button>
          </Form>
        )}
      </Row>
    </Card>
  )
}
