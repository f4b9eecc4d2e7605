export { options } from 'preact'
