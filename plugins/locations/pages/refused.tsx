/** @jsxImportSource renown/web */
import { Button, Form, Notice, type Outcome, type PageProps } from 'renown/web'
import { addressOf } from '../addresses'

/** Whether all paid locations are in use, so that the page offers a trial. */
export const offersTrial = (outcome: Outcome | null): boolean => outcome?.code === 'over_capacity'

/** A link to the location with the same platform id. */
export function Existing({ of: outcome }: { readonly of: Outcome }) {
  const id = outcome.extra?.location_id
  return id === undefined ? null : <a href={addressOf(String(id))}>Open that location</a>
}

/** A message about the whole form, above the page. */
export const Refused = ({ of: outcome }: { readonly of: Outcome }) => (
  <Notice tone="bad" title="Nothing was changed">
    <bdi>{outcome.fault}</bdi> <Existing of={outcome} />
  </Notice>
)

interface TryProps {
  readonly page: Pick<PageProps<unknown>, 'path' | 'csrf'>
  readonly outcome: Outcome
  readonly id: string
}

/** A button that starts a trial, if all paid locations are in use. */
export const Try = ({ page, outcome, id }: TryProps) => (
  <Notice title="It can start with a trial">
    <p>Beyond the paid capacity. A business has only one trial.</p>
    <Form
      action={`${page.path}/${outcome.action}`}
      csrf={page.csrf}
      hidden={{ location: id, back: addressOf(id), trial: 'yes' }}
      label="Start with a trial"
      inline
    >
      <Button kind="plain">Start with a trial</Button>
    </Form>
  </Notice>
)
