// News from dslc notebook --watch: "running" when the cells are run again, "ready" when there is a new page.
const news = document.getElementById("news");
const events = new EventSource("/events");
let lost = false;
events.addEventListener("running", () => { news.textContent = "running …"; });
events.addEventListener("ready", () => location.reload());
events.onopen = () => { if (lost) location.reload(); };
events.onerror = () => { lost = true; news.textContent = "not connected"; };
