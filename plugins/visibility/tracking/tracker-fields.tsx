/** @jsxImportSource renown/web */
import { Checkbox, Field, Select, TextArea } from 'renown/web'
import { type EngineChoice, providerLabel } from './engine-choices'

type Values = Readonly<Record<string, string | readonly string[]>>

export interface TrackerFieldsProps {
  readonly values: Values
  readonly faults: Readonly<Record<string, string>>
}

/** Returns the first text that was sent for a field. */
export const textIn = (values: Values, name: string): string => [values[name] ?? ''].flat()[0] ?? ''

/** The names that answers are searched for. */
export function BrandFields({ values, faults }: TrackerFieldsProps) {
  return (
    <>
      <Field
        name="brand_name"
        label="Brand"
        value={textIn(values, 'brand_name')}
        error={faults.brand_name}
        maxlength={120}
        autocomplete="off"
      />
      <TextArea
        name="aliases"
        label="Other names of the brand"
        hint="One on each line. They count as the brand."
        value={textIn(values, 'aliases')}
        error={faults.aliases}
        rows={2}
        optional
      />
      <Field
        name="brand_domain"
        label="Domain of your site"
        hint="Such as acme.example. Renown recognizes citations of your site by it."
        value={textIn(values, 'brand_domain')}
        error={faults.brand_domain}
        inputmode="url"
        autocomplete="off"
        optional
      />
      <TextArea
        name="competitors"
        label="Competitors"
        hint="One on each line, such as Drain Doctors, draindoctors.example. The domain can be left out."
        value={textIn(values, 'competitors')}
        error={faults.competitors}
        rows={4}
        optional
      />
    </>
  )
}

/** Which assistants are asked, and how they are reached. */
export function EngineFields({
  values,
  faults,
  engines,
}: TrackerFieldsProps & { readonly engines: readonly EngineChoice[] }) {
  const chosen = [values.engines ?? []].flat()
  const providers = [...new Set(engines.flatMap(({ ways }) => ways.map(({ provider }) => provider)))]
  return (
    <>
      <Select
        name="provider"
        label="How assistants are reached"
        options={providers.map((provider) => [provider, providerLabel(provider)] as const)}
        value={textIn(values, 'provider')}
        error={faults.provider}
      />
      <fieldset aria-describedby={faults.engines ? 'engines-error' : undefined}>
        <legend>Assistants</legend>
        {engines.map((one) => (
          <Checkbox
            key={one.engine}
            name="engines"
            value={one.engine}
            label={one.label}
            hint={waysOf(one)}
            checked={chosen.includes(one.engine)}
          />
        ))}
        {faults.engines && (
          <div class="fault" id="engines-error">
            <span>{faults.engines}</span>
          </div>
        )}
      </fieldset>
    </>
  )
}

const shortNames: Readonly<Record<string, string>> = {
  direct: 'its own API',
  dataforseo: 'DataForSEO',
  recorded: 'a recorded file',
}

/** Says by which ways an assistant can be asked, or what each of them needs. A recorded file is for trials. */
function waysOf({ ways }: EngineChoice): string {
  const nameOf = (provider: string) => shortNames[provider] ?? provider
  const ready = ways.filter(({ needs }) => needs.length === 0)
  if (ready.length > 0) return `Ready by ${ready.map(({ provider }) => nameOf(provider)).join(' and ')}`
  const real = ways.filter(({ provider }) => provider !== 'recorded')
  return (real.length > 0 ? real : ways)
    .map(({ provider, needs }) => `Needs ${needs.join(' and ')} for ${nameOf(provider)}`)
    .join('. ')
}
