// `npm run build`: what `npm start` does before it serves.
import { build, installToServe } from './setup.mjs'

installToServe()
await build()
