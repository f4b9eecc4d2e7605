export { Fragment, jsxDEV } from 'preact/jsx-dev-runtime'
