// KaTeX's styles and fonts, from this server. Loaded when the tab first draws a formula.
import 'katex/dist/katex.min.css';
