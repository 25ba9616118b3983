#!/usr/bin/env node
import '../dist/saldo.js'
