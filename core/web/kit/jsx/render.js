export { renderToString } from 'preact-render-to-string'
