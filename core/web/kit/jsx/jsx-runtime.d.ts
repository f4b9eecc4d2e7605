import type { PageEvent } from './browser'

/**
 * Types for JSX. Preact renders it, but its own types would add the browser's whole library to a server
 * program, where `Worker` and streams have other types.
 */
export type Children = JSX.Element | string | number | boolean | null | undefined | readonly Children[]

type Flag = boolean | undefined
type Text = string | undefined

interface Attributes {
  readonly [name: `aria-${string}` | `data-${string}`]: string | boolean | undefined
  readonly [name: `on${Capitalize<string>}`]: ((event: PageEvent) => void) | undefined
  readonly children?: Children
  readonly ref?: { current: unknown } | ((element: unknown) => void)
  readonly dangerouslySetInnerHTML?: { readonly __html: string }
  readonly key?: string | number
  readonly id?: Text
  readonly class?: Text
  readonly role?: Text
  readonly hidden?: Flag
  readonly tabIndex?: number
  readonly lang?: Text
  readonly dir?: Text
  readonly title?: Text
  readonly download?: Text | Flag
  readonly async?: Flag
  readonly href?: Text
  readonly rel?: Text
  readonly target?: Text
  readonly name?: Text
  readonly content?: Text
  readonly charset?: Text
  readonly action?: Text
  readonly form?: Text
  readonly formaction?: Text | undefined
  readonly method?: 'get' | 'post'
  readonly enctype?: 'multipart/form-data' | undefined
  readonly novalidate?: Flag
  readonly accept?: Text
  readonly type?: Text
  readonly value?: Text
  readonly for?: Text
  readonly checked?: Flag
  readonly defaultValue?: Text
  readonly defaultChecked?: Flag
  readonly selected?: Flag
  readonly disabled?: Flag
  readonly required?: Flag
  readonly readonly?: Flag
  readonly autofocus?: Flag
  readonly autocomplete?: Text
  readonly autocapitalize?: Text
  readonly spellcheck?: Flag
  readonly inputmode?: Text
  readonly maxlength?: number | undefined
  readonly pattern?: Text
  readonly placeholder?: Text
  readonly rows?: number
  readonly open?: Flag
  readonly scope?: 'col' | 'row'
  readonly colspan?: number
  readonly x?: string | number | undefined
  readonly y?: string | number | undefined
  readonly x1?: string | number | undefined
  readonly x2?: string | number | undefined
  readonly y1?: string | number | undefined
  readonly y2?: string | number | undefined
  readonly dy?: Text | undefined
  readonly 'text-anchor'?: 'start' | 'middle' | 'end' | undefined
  readonly transform?: Text | undefined
  readonly min?: Text
  readonly max?: Text
  readonly datetime?: Text
  readonly width?: string | number | undefined
  readonly height?: string | number | undefined
  readonly viewBox?: Text
  readonly fill?: Text
  readonly stroke?: Text
  readonly d?: Text
  readonly src?: Text
  readonly inert?: Flag
  readonly draggable?: 'true' | 'false'
  readonly rx?: Text
  readonly cx?: Text | number
  readonly cy?: Text | number
  readonly r?: Text
  readonly as?: 'font'
  readonly crossorigin?: ''
  readonly alt?: Text
}

type Tag =
  | 'a'
  | 'aside'
  | 'article'
  | 'b'
  | 'blockquote'
  | 'bdi'
  | 'body'
  | 'br'
  | 'button'
  | 'caption'
  | 'code'
  | 'dd'
  | 'del'
  | 'details'
  | 'dialog'
  | 'div'
  | 'dl'
  | 'dt'
  | 'em'
  | 'fieldset'
  | 'figcaption'
  | 'figure'
  | 'footer'
  | 'form'
  | 'g'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'head'
  | 'header'
  | 'hr'
  | 'html'
  | 'img'
  | 'input'
  | 'ins'
  | 'kbd'
  | 'label'
  | 'legend'
  | 'li'
  | 'line'
  | 'link'
  | 'main'
  | 'mark'
  | 'meta'
  | 'meter'
  | 'progress'
  | 'nav'
  | 'noscript'
  | 'ol'
  | 'optgroup'
  | 'option'
  | 'p'
  | 'path'
  | 'pre'
  | 'rect'
  | 'circle'
  | 'script'
  | 'section'
  | 'select'
  | 'small'
  | 'span'
  | 'strong'
  | 'style'
  | 'summary'
  | 'svg'
  | 'table'
  | 'tbody'
  | 'td'
  | 'text'
  | 'textarea'
  | 'th'
  | 'thead'
  | 'time'
  | 'title'
  | 'tr'
  | 'ul'

// biome-ignore lint/style/noNamespace: the compiler looks for the types of JSX under this name
export declare namespace JSX {
  interface Element {
    readonly type: unknown
    readonly props: object
  }
  interface ElementChildrenAttribute {
    readonly children: unknown
  }
  interface IntrinsicAttributes {
    readonly key?: string | number
  }
  type IntrinsicElements = Record<Tag, Attributes>
}
