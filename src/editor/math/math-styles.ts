// KaTeX's styles and fonts, from this server. Loaded when a page first has a formula.
import 'katex/dist/katex.min.css';
