/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'

export { Icon, Sign, type SignProps } from './icon'
export { Moment } from './moment'
export { Table, type TableProps } from './table'

type Inside = { readonly children?: Children }
export type Tone = 'plain' | 'good' | 'warn' | 'bad'

/** The parts of every form of a page: its address, and the token that proves its origin. */
export interface FormProps extends Inside {
  readonly action: string
  readonly csrf: string
  /** Hidden fields and their values. A list is sent as several fields of the same name. */
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>
  readonly inline?: boolean
  /** Label, for pages with several forms. */
  readonly label?: string
  /** Whether the form has a field for a file. */
  readonly sendsFile?: boolean
}

/** A form that posts, always with its token. */
export function Form({ action, csrf, hidden = {}, inline, label, sendsFile, children }: FormProps) {
  return (
    <form
      method="post"
      action={action}
      class={inline ? 'inline' : undefined}
      aria-label={label}
      enctype={sendsFile ? 'multipart/form-data' : undefined}
      novalidate
    >
      <input type="hidden" name="csrf" value={csrf} />
      {Object.entries(hidden).flatMap(([name, values]) =>
        [values].flat().map((value) => <input key={name + value} type="hidden" name={name} value={value} />),
      )}
      {children}
    </form>
  )
}

export interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'date' | 'file'
  readonly value?: string
  readonly hint?: Children
  /** The error of the typed value, linked to the field. */
  readonly error?: string | undefined
  readonly optional?: boolean
  readonly autocomplete?: string
  readonly inputmode?: 'numeric' | 'email' | 'url' | 'text'
  readonly autofocus?: boolean
  readonly maxlength?: number
  /** The first and the last day that can be chosen. */
  readonly min?: string
  readonly max?: string
  /** The types of files that can be chosen. */
  readonly accept?: string
  readonly placeholder?: string
  readonly code?: boolean
}

/** Returns the ids of the texts that a screen reader reads with a field. */
export const describedBy = (id: string, hint: unknown, error: unknown): string =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')

interface LabelledProps {
  readonly name: string
  readonly label: string
  readonly hint?: Children
  readonly error?: string | undefined
  readonly optional?: boolean | undefined
  /** Returns the control, which screen readers read with the texts of these ids. */
  readonly control: (describedBy: string | undefined) => Children
}

/** A control with its label, its hint and its error. */
export const Labelled = ({ name, label, hint, error, optional, control }: LabelledProps) => (
  <div class="field">
    <label for={name}>
      {label}
      {optional && <span class="optional"> (optional)</span>}
    </label>
    {hint && (
      <div class="hint" id={`${name}-hint`}>
        {hint}
      </div>
    )}
    {control(describedBy(name, hint, error) || undefined)}
    {error && <Fault id={`${name}-error`}>{error}</Fault>}
  </div>
)

/** A labelled input. Screen readers read its hint and its error. `value` is only the initial value. */
export function Field(props: FieldProps) {
  const { name, label, type = 'text', value, hint, error, optional, code, ...rest } = props
  const control = (described: string | undefined) => (
    <input
      {...rest}
      id={name}
      name={name}
      type={type}
      defaultValue={value}
      class={code ? 'code' : undefined}
      required={!optional}
      aria-invalid={error ? 'true' : undefined}
      aria-describedby={described}
      {...(type === 'email' || code ? { autocapitalize: 'none', spellcheck: false } : {})}
    />
  )
  return (
    <Labelled name={name} label={label} hint={hint} error={error} optional={optional} control={control} />
  )
}

export interface SelectProps {
  readonly name: string
  readonly label: string
  /** Values that are also labels, or pairs of value and label. */
  readonly options: readonly (string | readonly [value: string, words: string])[]
  readonly value?: string | undefined
  readonly hint?: Children
  readonly error?: string | undefined
  /** Selects the browser's time zone at first, if the page was rendered with `copies`. */
  readonly ownZone?: boolean
}

/** A choice of one option. */
export function Select({ name, label, options, value, hint, error, ownZone }: SelectProps) {
  const control = (described: string | undefined) => (
    <select
      id={name}
      name={name}
      data-own-zone={ownZone ? '' : undefined}
      aria-invalid={error ? 'true' : undefined}
      aria-describedby={described}
    >
      {options
        .map((option) => (typeof option === 'string' ? ([option, option] as const) : option))
        .map(([key, words]) => (
          <option key={key} value={key} selected={key === value}>
            {words}
          </option>
        ))}
    </select>
  )
  return <Labelled name={name} label={label} hint={hint} error={error} control={control} />
}

/** The error of a field, below it. */
export function Fault({ id, children }: Inside & { readonly id: string }) {
  return (
    <div class="fault" id={id}>
      <span>{children}</span>
    </div>
  )
}

/** The user name of a password form, for password managers only. */
export function Username({ value }: { readonly value: string | undefined }) {
  return (
    <input
      class="unseen"
      type="text"
      name="username"
      value={value}
      autocomplete="username"
      readonly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}

export interface CheckboxProps {
  readonly name: string
  readonly value?: string
  readonly label: Children
  readonly hint?: Children
  readonly error?: string | undefined
  readonly checked?: boolean
  /** Id of the error of the group. */
  readonly faultId?: string | undefined
  /** Id of the box, for pages with several of the same name and value. */
  readonly id?: string
}

/** A checkbox. Several can share a name with different values. */
export function Checkbox({ name, value = 'yes', label, hint, error, checked, ...own }: CheckboxProps) {
  const id = own.id ?? `${name}-${value}`
  const described = [describedBy(id, hint, error), own.faultId].filter(Boolean).join(' ')
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        defaultChecked={checked}
        aria-invalid={error || own.faultId ? 'true' : undefined}
        aria-describedby={described || undefined}
      />
      <label for={id}>{label}</label>
      {hint && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error && <Fault id={`${id}-error`}>{error}</Fault>}
    </div>
  )
}

export interface ButtonProps extends Inside {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly whole?: boolean
  /** Name and value of the pressed button, for forms with several. */
  readonly name?: string
  readonly value?: string
  /** Sends the form to this address instead of its own. */
  readonly action?: string
}

/** A button that submits its form. */
export function Button({ kind = 'primary', whole, children, name, value, action }: ButtonProps) {
  return (
    <button
      type="submit"
      name={name}
      value={value}
      formaction={action}
      class={`button ${kind}${whole ? ' whole' : ''}`}
    >
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ href, kind = 'plain', children }: ButtonProps & { readonly href: string }) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  )
}

/** The title of a page and a sentence about it. `tools` are at the end of the row, such as the period. */
export function Head({
  title,
  tools,
  children,
}: Inside & { readonly title: string; readonly tools?: Children }) {
  return (
    <div class="head">
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {tools && <div class="tools">{tools}</div>}
    </div>
  )
}

export interface CardProps extends Inside {
  readonly title?: Children
  readonly about?: Children
  /** Id for links to this part of the page. */
  readonly id?: string
}

/** One topic of a page. */
export function Card({ title, about, id, children }: CardProps) {
  return (
    <section class="card" id={id}>
      {title && (
        <header>
          <h2>{title}</h2>
          {about && <p>{about}</p>}
        </header>
      )}
      {children}
    </section>
  )
}

/** Something to know before continuing. Screen readers read errors immediately. */
export function Notice({ tone = 'plain', title, children }: Inside & { tone?: Tone; title?: string }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {title && <h2>{title}</h2>}
      {children && <div>{children}</div>}
    </div>
  )
}

/** A status in a word. */
export function Badge({ tone = 'plain', children }: Inside & { readonly tone?: Tone }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

export function Row({ children, align = 'start' }: Inside & { readonly align?: 'start' | 'end' | 'apart' }) {
  return <div class={`row ${align}`}>{children}</div>
}

/** Two columns if the screen is wide enough. */
export function Halves({ children }: Inside) {
  return <div class="stack halves">{children}</div>
}

export interface CopyFieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  /** Added to the label for screen readers, on pages with several fields of that name. */
  readonly of?: string
}

/** A value to copy. Its Copy button appears when the page was rendered with `copies`. */
export function CopyField({ name, label, value, of }: CopyFieldProps) {
  return (
    <div class="field">
      <label for={name}>
        {label}
        {of && <span class="unseen"> of {of}</span>}
      </label>
      <div class="copy">
        <input id={name} value={value} readonly spellcheck={false} autocomplete="off" />
        <button type="button" class="button plain" data-copies={name} hidden>
          Copy
          <span class="unseen">
            {' '}
            {label}
            {of && ` of ${of}`}
          </span>
        </button>
      </div>
    </div>
  )
}

/** Text to type or paste elsewhere. Wide lines scroll, also by keyboard. */
export function CodeBlock({ children }: Inside) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0}>
      <code>{children}</code>
    </pre>
  )
}

/** Names and values. */
export function Facts({ of }: { readonly of: readonly (readonly [string, Children])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}

/** The logo: the name with a star. */
export function Mark({ bare }: { readonly bare?: boolean }) {
  const shape = (
    <>
      <path
        d="M6 3h16a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4h-7.2L9 26v-5H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"
        fill="currentColor"
      />
      <path
        d="m14 6.4 1.73 3.5 3.87.57-2.8 2.73.66 3.85L14 15.23l-3.46 1.82.66-3.85-2.8-2.73 3.87-.57z"
        fill="#fff"
      />
    </>
  )
  if (bare) return shape
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
      {shape}
    </svg>
  )
}
